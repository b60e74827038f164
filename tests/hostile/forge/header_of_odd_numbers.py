"""Replies with the right id and numbers that JSON readers stumble over.

outcome: failed
says: interfered with the channel
"""

import json
import os
import struct
import sys

ODD = [
    '["float","0x1p99999999"]', '["float","nan"]', "1e400", "-Infinity", "NaN", '["float",3]', "9" * 5000, "[" * 9000,
    '["list",' + ",".join("1" * 20_000) + "]", '["object",-1]', '["object",[]]', '["dict",[],1]', '["dict","a"]',
    '["dict","a",1,"a",2]', '["list",["list",["list",["list",["list",["list",["list",["list",["list"]]]]]]]]]', "[]",
    '["other"]', '["other",[],{},1]', '{"a":1}', '"\\ud800"', "\ud83d\ude00", '["tensor"]', '["tensor","float128"]',
    '["tensor","float32",2147483647,2147483647,2147483647,2147483647,0]', '["tensor","float32",-1]',
    '["tensor","float32",true]', '["tensor","int8"' + ",1" * 40 + "]", '["tensor","bool",4611686018427387904]',
    '["tensor",[],1]', '["tensor","int8",1e9]', '["tensor","int8",null]', '["tensor","int8",[1]]',
]
AT = []


def concat_heads(x):
    frame = sys._getframe()
    while "header" not in frame.f_locals:
        frame = frame.f_back
    header = frame.f_locals["header"]
    AT.append(0)
    value = ODD[(len(AT) + x.numel()) % len(ODD)]
    text = f'{{"id":{json.dumps(header["id"])},"ok":true,"value":{value}}}'.encode()
    os.write(3, struct.pack(">IQ", len(text), 3) + text + b"abc")
    os._exit(0)
