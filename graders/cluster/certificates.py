"""The certificates of a cluster: an authority of its own, and a folder for each role."""

import datetime
import os
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graders.language import tr

if TYPE_CHECKING:
    from distributed import Security

SCHEDULER, WORKER, CLIENT = ROLES = ("scheduler", "worker", "client")
AUTHORITY, CERTIFICATE, KEY = "authority.pem", "certificate.pem", "key.pem"
DAYS = 400  # somewhat more than a year


class NoCertificates(Exception):
    """A folder without certificates for a role. Text for whoever named it."""


def security(role: str, folder: Path | None) -> "Security":
    """Dask's settings for a role: TLS with the certificates in a folder, or none on the loopback.

    Args:
        role: one of `ROLES`.
        folder: what `softmark cluster init` made, or the folder of this role from it.

    Raises:
        NoCertificates: they are not there.
    """
    from distributed import Security

    if folder is None:
        return Security(require_encryption=False)
    own = folder / role if (folder / role).is_dir() else folder
    names = [own / name for name in (AUTHORITY, CERTIFICATE, KEY)]
    if missing := [path for path in names if not path.is_file()]:
        raise NoCertificates(tr("{path} is missing: `softmark cluster init` makes it", path=missing[0]))
    authority, certificate, key = map(str, names)
    return Security(
        require_encryption=True,
        tls_ca_file=authority,
        tls_min_version=ssl.TLSVersion.TLSv1_3,
        **{f"tls_{role}_cert": certificate, f"tls_{role}_key": key},
    )


def make_certificates(folder: Path) -> None:
    """Write an authority's key and, for each role, a folder with its certificate: all for the user alone.

    Raises:
        FileExistsError: the folder is there already, and not empty.
    """
    from cryptography.hazmat.primitives.asymmetric import ec

    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(folder)
    folder.chmod(0o700)
    authority_key = ec.generate_private_key(ec.SECP256R1())
    authority = _certificate("authority", authority_key, None, authority_key)
    _write(folder / "authority-key.pem", _private(authority_key))
    for role in ROLES:
        key = ec.generate_private_key(ec.SECP256R1())
        own = folder / role
        own.mkdir(mode=0o700)
        _write(own / AUTHORITY, _public(authority))
        _write(own / CERTIFICATE, _public(_certificate(role, key, authority, authority_key)))
        _write(own / KEY, _private(key))


def _certificate(role: str, key: Any, issuer: Any, issuer_key: Any) -> Any:
    """A certificate for a role; the authority's own where no issuer is given."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"softmark {role}")])
    now = datetime.datetime.now(datetime.UTC)
    is_authority = issuer is None
    usage = x509.KeyUsage(
        digital_signature=not is_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_authority,
        crl_sign=is_authority,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name if is_authority else issuer.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))  # clocks differ
        .not_valid_after(now + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=0 if is_authority else None), True)
        .add_extension(usage, True)
    )
    if not is_authority:
        # Workers and the scheduler connect to one another in both directions; nobody connects to a client.
        purposes = [ExtendedKeyUsageOID.CLIENT_AUTH]
        purposes += [] if role == CLIENT else [ExtendedKeyUsageOID.SERVER_AUTH]
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), False)
    return builder.sign(issuer_key, hashes.SHA256())


def _public(certificate: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    data: bytes = certificate.public_bytes(Encoding.PEM)
    return data


def _private(key: Any) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    data: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return data


def _write(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
