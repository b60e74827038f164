"""An example for each name that a checks file may use: the bodies stand in docs/check-api/ as they are."""

import math
from collections.abc import Iterator
from functools import partial

import pytest
import torch
from hypothesis import Phase, find, settings
from matplotlib.figure import Figure
from torch import Tensor, nn

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.attention_answers import (
    defined,
    output_and_gradients,
    output_by_products,
    upstream,
    with_and_without_mask,
)
from graders.check_api.attention_answers import drop_mask as attention_answers_drop_mask
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.candidate import (
    Called,
    Candidate,
    Gradients,
    Module,
    ObservedCall,
    Raised,
    RecordingModel,
    Seeded,
)
from graders.check_api.check import Stretched, check
from graders.check_api.choice_by_content import (
    language_model_chooses,
    pairs_with_readers,
    text_with_readers,
    translator_chooses,
)
from graders.check_api.compare import (
    NoTensor,
    OtherCount,
    OtherParameters,
    Violation,
    agree,
    alike,
    has_dtype,
    in_form_of,
    is_near,
    is_same,
    number,
    require,
    require_reach,
    same,
    shaped,
    tensor,
)
from graders.check_api.criterion import Doubt, ModelFacts, Share, Stage, criterion
from graders.check_api.describe import kind, written
from graders.check_api.drawn_attention import BOTH_WAYS, CAUSAL, HEADS, DrawnAttention, sizes_of_model
from graders.check_api.figures import Panel, panels_of, returns_a_figure
from graders.check_api.grows_as import Growth
from graders.check_api.head_layouts import (
    SEPARATE,
    Answers,
    HeadLayout,
    answers,
    at_layout,
    count_parameters,
    layout_of,
)
from graders.check_api.language_model_behaviour import language_model_behaviours
from graders.check_api.language_models import (
    LanguageModel,
    bigram_bound,
    has_a_right_loss,
    knows_by_parameters_alone,
)
from graders.check_api.leading_axes import BatchAxes, LeadingAxes
from graders.check_api.lent_models import CallLog
from graders.check_api.mask_properties import (
    does_not_look_ahead,
    either_way,
    find_wrong,
    hides_what_is_masked,
    ignores_masked_keys,
    is_bool,
    knows_no_future,
    knows_no_future_at_its_length,
)
from graders.check_api.mask_sense import Form, MaskArgument, MaskNotTaken, Reading, Sense
from graders.check_api.memory_properties import (
    answers_repeats_alike as memory_properties_answers_repeats_alike,
)
from graders.check_api.memory_properties import (
    ignores_masked_memory,
    knows_no_order_of_the_memory,
    takes_the_masks_written_out,
    teaches_the_memory,
)
from graders.check_api.options import Options
from graders.check_api.output_and_weights import is_pair, output_of, place_of_output, weights_of
from graders.check_api.parameter_counts import (
    count_attention,
    count_feed_forward,
    count_grouped_attention,
    count_layer,
    count_norm,
)
from graders.check_api.properties import (
    begins_like,
    call_with_other_weights,
    depends_on,
    drops_in_training,
    drops_in_training_only,
    drops_nothing,
    first_tensor,
    gradient_comes_from_where_values_went,
    has_matrices,
    has_parameters,
    in_double,
    is_four_times_as_wide,
    is_not_linear,
    leaves_alone,
    parts,
    refuses,
    treats_sequences_apart,
    uses_its_weights,
)
from graders.check_api.recurrent_properties import (
    begins_with_zeros,
    has_gates,
    outputs_start_alike,
    remembers,
    shape_of_state,
    state_of,
    teaches_the_states,
)
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import agree_gradients, require_gradients, teaches
from graders.check_api.rows_of_ints import read_rows, returns_lists, rows_as_lists
from graders.check_api.standard_checks import behaviour_checks
from graders.check_api.standard_checks.attention_checks import AttentionChecks
from graders.check_api.standard_checks.function_checks import (
    answers_extreme_sizes,
    answers_the_smallest_sizes,
    computes_in_double_precision,
    in_single,
    leaves_its_arguments_alone,
    passes_gradients_back,
    takes_what_a_transpose_leaves,
)
from graders.check_api.standard_checks.measure_checks import MeasureChecks, improbable, read_number
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.standard_checks.output_and_weights_checks import OutputAndWeightsChecks
from graders.check_api.standard_checks.tensor_function_checks import TensorFunctionChecks
from graders.check_api.statistics import are_too_few, likeliest, margin, surprising, tempered
from graders.check_api.strategies.attention_masks import (
    additive,
    allowed,
    almost_causal,
    causal_mask,
    hiding,
    padding,
    padding_added,
    scattered,
)
from graders.check_api.strategies.buckets import ALONE, Hashed, hashed, hashed_of
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed, fixed_ids
from graders.check_api.strategies.grouped_heads import AS_MANY, grouped, grouped_extremes, grouped_words
from graders.check_api.strategies.lengths import of_length
from graders.check_api.strategies.local_texts import (
    LocalText,
    local_text_of,
    local_texts,
    narrow_local_windows,
    short_local_texts,
)
from graders.check_api.strategies.memories import Crossed, Decoded, crossed, decoded, fixed_memories, states
from graders.check_api.strategies.module_inputs import (
    Given,
    Indivisible,
    Input,
    Model,
    Segments,
    States,
    Tokens,
    attended,
    indivisible,
    modelled,
    models,
    segmented,
    worded,
)
from graders.check_api.strategies.prompts import (
    Prompt,
    continue_prompts,
    cropped_and_whole,
    expected_probabilities,
    generated_text,
    graded,
    open_ended,
    prompts,
    sure,
    text_of_model,
    uncertain,
    widen_block,
)
from graders.check_api.strategies.recurrent import (
    CellInput,
    Sequences,
    StateInput,
    cell_inputs,
    fixed_cell_inputs,
    fixed_sequences,
    sequences,
    without_first_state,
)
from graders.check_api.strategies.scored_tokens import (
    scored_tokens,
    sized_tokens,
    surprises,
)
from graders.check_api.strategies.sentence_pairs import (
    Pairs,
    Translator,
    find_shared_layers,
    looks,
    memory_influences,
    paired,
    pairs,
    source_influences,
    target_influences,
    with_another_last_id,
    without_padding,
)
from graders.check_api.strategies.shaped_by import ShapedBy
from graders.check_api.strategies.tensors import (
    Attention,
    Heads,
    Joined,
    attention,
    counting,
    floats,
    heads,
    ids,
    input_values,
    joined,
    lengths,
    masks,
    normal,
    patterns,
    plain_inputs,
    seeds,
    several,
    sizes,
    units,
    weights,
)
from graders.check_api.strategies.token_ids import (
    Text,
    are_probabilities,
    both_of,
    due,
    influences,
    logits_for,
    logits_of,
    loss_agrees,
    moves,
    texts,
)
from graders.check_api.strategies.translations import (
    Translation,
    decoded_ids,
    stopping,
    translate,
    translation,
    translations,
)
from graders.check_api.strategies.wrapped_layers import Wrapped, wrapped, wrapped_layers
from graders.check_api.target import Target, targets
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.check_api.translation_behaviour import translation_behaviours
from graders.check_api.usual_sizes import (
    UsualSize,
    head_width,
    heads_and_width,
    heads_of_keys,
    inner_width,
    length_of,
    memory_width,
    model_width,
    number_of_heads,
    number_of_parts,
    number_of_positions,
    only_length,
    usual_number,
)
from graders.check_api.variation import (
    Varied,
    agree_at_corner,
    agree_in_double,
    agree_in_variation,
    answers_its_input,
    answers_its_start_alike,
    answers_repeats_alike,
    cast_to_single,
    drop_mask,
    output_for,
    shorten,
    takes_the_mask_written_out,
    vary,
)
from graders.course.reference import mistakes, reference
from graders.results.measurements import Trained

MADE_SMALLER = {"test_sizes", "test_seeds", "test_floats"}  # the others take the first draw, which is small
settings.register_profile("first draw", settings.get_profile("softmark"), phases=[Phase.generate])


@pytest.fixture(autouse=True)
def first_draw(request: pytest.FixtureRequest) -> Iterator[None]:
    """The first draw that `find` finds, made no smaller, which takes most of its time."""
    if request.node.name in MADE_SMALLER:
        yield
        return
    settings.load_profile("first draw")
    yield
    settings.load_profile("softmark")


# setup
class CausalMean(nn.Module):
    """The mean of all positions up to each one; `mask` (B, 1, S, S) with 1 = allowed."""

    def __init__(self, embed_dim: int, num_heads: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("the heads do not divide the width")
        self.linear = nn.Linear(embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        seen = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype).tril()
        seen = seen if mask is None else (seen * mask)[:, 0]
        return self.dropout(seen @ self.linear(x) / seen.sum(-1, keepdim=True).clamp(min=1))


class Bigram(nn.Module):
    """A language model that sees one id; it answers the pair (logits, loss) where there are targets."""

    def __init__(self, vocab_size: int) -> None:
        super().__init__()
        self.table = nn.Embedding(vocab_size, vocab_size)

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Tensor | tuple[Tensor, Tensor]:
        logits = self.table(idx)
        if targets is None:
            return logits
        return logits, nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def concat_heads(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(2)


student: Candidate = LocalCandidate(concat_heads)  # a function
causal: Candidate = LocalCandidate(CausalMean)  # a class
bigram: Candidate = LocalCandidate(Bigram)
x = normal(2, 3, 4, seed=1)  # (B, S, E)
SimpleGPTModel = reference("gpt_model", "SimpleGPTModel")
scaled_dot_product_attention = reference("scaled_dot_product_attention", "scaled_dot_product_attention")
CrossAttention = reference("cross_attention", "CrossAttention")
crossing: Candidate = LocalCandidate(CrossAttention)  # answers (output, weights)
recurrent: Candidate = LocalCandidate(reference("rnn", "RNN"))  # answers (outputs, h)
gru: Candidate = LocalCandidate(reference("gru_cell", "GRUCell"))
translating: Candidate = LocalCandidate(reference("seq2seq_model", "Seq2Seq"))
small = {"src_vocab": 7, "tgt_vocab": 9, "embed_dim": 8, "num_heads": 2, "num_layers": 1, "max_len": 5}
# end


def test_check():
    @check(points=1, given=heads(), shape_only=True)
    def has_three_axes(concat_heads: Candidate, draw: Heads) -> None:
        """the output has three axes"""
        shaped(concat_heads(draw.x), (*draw.x.shape[:1], draw.x.shape[2], draw.x[0, :, 0].numel()))

    assert has_three_axes.body(student, Heads(normal(1, 2, 3, 4, seed=1))) is None


def test_Stretched():
    @check(
        points=1,
        stretched=[Stretched(lambda count, seed: Heads(normal(1, count, 3, 2, seed=seed)))],
        shape_only=True,
    )
    def joins_many_heads(concat_heads: Candidate, draw: Heads) -> None:
        """many heads are joined"""
        shaped(concat_heads(draw.x), (1, 3, 2 * draw.x.shape[1]))

    [size] = joins_many_heads.stretched
    joins_many_heads.judge(student, size.draw(size.least, 1))


def test_Candidate():
    assert student(normal(1, 2, 3, 4, seed=1)).shape == (1, 3, 8)
    module = causal.with_random_weights(seed=1, embed_dim=4)
    assert module(x).shape == x.shape


def test_Called():
    called: Called = student  # functions and modules alike
    seen = called.observed_call(normal(1, 2, 3, 4, seed=1))
    assert seen.random_state_kept


def test_Module():
    module: Module = causal.construct(4, num_heads=2)
    assert module.shapes() == {"linear.weight": (4, 4), "linear.bias": (4,)}
    assert module.train()(x).shape == x.shape


def test_RecordingModel():
    model: RecordingModel = student.make_model("TableModel", table=normal(5, 3, seed=1))
    assert model.call_log().calls == 0


def test_Panel():
    panel = Panel(torch.eye(2), columns={0: "le", 1: "chat"}, rows={0: "le", 1: "chat"})
    assert panel.array[0, 0] == 1


def test_panels_of():
    def draw(weights):
        figure = Figure()
        axes = figure.add_subplot()
        axes.imshow(weights.numpy())
        axes.set_yticks([0, 1], ["le", "chat"])
        return figure

    [panel] = panels_of(LocalCandidate(draw)(torch.eye(2)))
    same(panel.array.float(), torch.eye(2))
    assert panel.rows == {0: "le", 1: "chat"}


def test_returns_a_figure():
    returns_a_figure(LocalCandidate(lambda: Figure())())
    with pytest.raises(Violation):
        returns_a_figure(None)


def test_CallLog():
    log = CallLog(calls=2, in_training=1, tracked=0, shapes=((1, 3), (1, 4)), training=True)
    assert log.longest == 4


def test_ObservedCall():
    seen: ObservedCall = student.observed_call(normal(1, 2, 3, 4, seed=1))
    same(seen.args[0], normal(1, 2, 3, 4, seed=1))  # the call did not change its argument
    assert seen.random_state_kept


def test_Seeded():
    module = causal.construct(4, dropout=0.5).train()
    once: Seeded = module.seeded(7, x)
    same(module.seeded(7, x).answer, once.answer)


def test_Gradients():
    module = causal.construct(4)
    found: Gradients = module.gradients(x, upstream=[torch.ones(2, 3, 4)])
    assert set(found.parameters) == {"linear.weight", "linear.bias"}


def test_Raised():
    with pytest.raises(Raised, match="ValueError: the heads do not divide the width"):
        causal.construct(5, num_heads=2)


def test_MaskArgument():
    argument = MaskArgument(1, Sense.TRUE_HIDES, check="ignores_what_is_masked")  # `mask` of the Options
    [_, mask] = argument.in_sense([x, torch.tensor([False, True])], Sense.ONE_ALLOWS)
    assert mask.tolist() == [1, 0]
    [_, mask] = argument.in_form([x, torch.zeros(3, 3, dtype=torch.bool)], Form.PER_SEQUENCE)
    assert mask.shape == (2, 3, 3)
    [_, mask] = argument.as_read([x], Reading(Sense.ADDS, needed=True))
    assert mask.sum() == 0


def test_LeadingAxes():
    axes = LeadingAxes("treats_leading_axes_apart", values=3)  # `leading_axes` of the Options
    assert axes.check == "treats_leading_axes_apart"  # all others ask with folded axes where it must be


def test_BatchAxes():
    axes = BatchAxes("treats_heads_and_sequences_apart", count=2)  # `batch` of the Options, for (B, H, S, D)
    assert axes.check == "treats_heads_and_sequences_apart"  # code for one sequence loses it alone


def test_UsualSize():
    # one of `sizes` of the Options
    positions = UsualSize("max_len", "has_a_table", "512", lambda config: 512)
    assert positions.usual({}) == 512


def test_inner_width():
    [size] = (inner_width("ff_dim", "embed_dim", "has_two_layers_with_bias"),)  # `sizes` of the Options
    assert size.usual({"embed_dim": 6, "ff_dim": 7}) == 24


def test_memory_width():
    [size] = (memory_width("kv_dim", "embed_dim", "takes_a_memory_of_another_width", "memory"),)  # SIZES
    assert size.usual({"embed_dim": 6, "kv_dim": 7}) == 6


def test_heads_of_keys():
    [size] = (heads_of_keys("num_kv_heads", "num_heads", "has_the_parameters_of_its_parts"),)  # of SIZES
    assert size.usual({"num_heads": 6, "num_kv_heads": 2}) == 6  # where every head has its own


def test_head_width():
    [size] = (head_width("head_size", "n_embd", "num_heads", "has_heads_and_a_projection", "x"),)  # SIZES
    assert size.usual({"n_embd": 7, "num_heads": 3, "head_size": 4}) == 12  # of n_embd, which fits the heads


def test_heads_and_width():
    sizes = heads_and_width("num_heads", "embed_dim", "has_four_layers_with_bias", "x")  # of SIZES
    assert [size.argument for size in sizes] == ["num_heads", "embed_dim"]


def test_number_of_heads():
    heads = number_of_heads("num_heads", "embed_dim", "has_four_layers_with_bias", "x")  # of SIZES
    assert heads.always(8).usual({"num_heads": 3}) == 8  # in code that always has eight


def test_model_width():
    width = model_width("embed_dim", "has_three_layers_with_bias", "x")  # of SIZES
    assert width.always(64).usual({"embed_dim": 6}) == 64


def test_number_of_parts():
    layers = number_of_parts("num_layers", "has_all_layers")  # of SIZES
    words = number_of_parts("vocab_size", "has_its_tables", ids="input_ids")
    assert (layers.always(6).formula, words.ids) == ("6", "input_ids")


def test_number_of_positions():
    positions = number_of_positions("max_position_embeddings", "has_its_tables")  # of SIZES
    assert positions.always(512).formula == "512"


def test_only_length():
    states = only_length("hidden_states", "answers_long_sequences")  # of SIZES
    assert states.of_one_length(64).usual({}) == 64


def test_length_of():
    memory = length_of("memory", "x", "keeps_the_shape_of_x")  # of SIZES
    assert memory.limited().as_long_as == "x"


def test_usual_number():
    segments = usual_number("type_vocab_size", 2, "has_its_tables", ids="token_type_ids")  # of SIZES
    assert segments.usual({"type_vocab_size": 3}) == 2


def test_Sense():
    assert Sense.TRUE_HIDES.says == "True hides a key"


def test_Form():
    assert Form.PER_SEQUENCE.value == "(B, S, S)"


def test_Reading():
    assert Reading(Sense.ONE_ALLOWS) == Reading(Sense.ONE_ALLOWS, Form.AS_GIVEN, needed=False)


def test_MaskNotTaken():
    argument = MaskArgument(1, Sense.TRUE_HIDES, check="ignores_what_is_masked")
    causal_mask = torch.ones(3, 3, dtype=torch.bool).triu(1)
    with pytest.raises(MaskNotTaken):  # it differs between queries
        argument.as_read([x, causal_mask], Reading(Sense.TRUE_HIDES, Form.PER_KEY))


def test_Target():
    agree(torch.tensor([1.0, 2.0001]), Target(torch.tensor([1.0, 2.0]).double(), tolerance=1e-3))


def test_Violation():
    with pytest.raises(Violation) as failure:
        same(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 3.0]))
    assert failure.value.worst == (1,)


def test_require_reach():
    with pytest.raises(Violation, match="three layers reach 7 positions") as failure:
        require_reach(6, 1, (1, 3, 5, 7), "three layers reach 7 positions")
    assert failure.value.reach.answer == 6


def test_agree():
    [target] = targets(lambda a, b: [a @ b], [x[0], x[0].T])
    agree(x[0] @ x[0].T, target)  # any right order of summation


def test_alike():
    module = causal.construct(4)
    alike(module(x[:1]), module(x)[:1], "a sequence alone")


def test_number():
    assert number(0.123456) == "0.1235"


def test_require():
    with pytest.raises(Violation, match="the weights should sum to 1"):
        require(False, "the weights should sum to 1")


def test_in_form_of():
    outputs = torch.arange(12).reshape(2, 3, 2)  # (S, B, E), where (B, S, E) is due
    assert torch.equal(in_form_of(outputs, (3, 2, 2)), outputs.transpose(0, 1))
    assert in_form_of(outputs[:, :1], (2, 2)).shape == (2, 2)
    assert in_form_of(outputs, (3, 4)) is None


def test_is_near():
    [target] = targets(lambda values: [values.exp()], [x])
    assert is_near(x.exp(), target)
    assert not is_near(x, target)


def test_is_same():
    assert is_same(x.flip(0).flip(0), x)
    assert not is_same(x + 1e-6, x)


def test_same():
    same(concat_heads(counting(1, 2, 1, 2)), counting(1, 1, 4))


def test_shaped():
    with pytest.raises(Violation):
        shaped(x, (2, 3, 5))


def test_targets():
    [target] = targets(lambda values: [values.softmax(-1)], [x])
    assert 0 < target.tolerance < 1e-5
    agree(x.softmax(-1), target)


def test_tensor():
    with pytest.raises(Violation):
        tensor([x, x])  # a list is no tensor


def test_kind():
    assert kind([x, x]) == "a list of 2 tensors"


def test_written():
    assert written(["a", 1]) == "['a', 1]"
    assert written([0] * 100).endswith("0, 0,...")


def test_first_tensor():
    assert first_tensor((x, None)) is x


def test_parts():
    assert parts({"attention": 2, "output": 1}) == [1, 2]
    assert parts((1, 2)) == [1, 2]
    assert parts(1) == [1]


def test_begins_like():
    begins_like(x, causal.construct(4)(x))


def test_gradient_comes_from_where_values_went():
    gradient_comes_from_where_values_went(student, normal(2, 3, 4, 5, seed=1))


def test_has_parameters():
    has_parameters(causal.construct(4).parameters(), 4 * 4 + 4)


def test_has_matrices():
    has_matrices(causal.construct(4).parameters(), 4 * 4)


def test_is_four_times_as_wide():
    class Narrow(nn.Module):
        def __init__(self, embed_dim: int, num_heads: int, ff_dim: int | None = None) -> None:
            super().__init__()
            self.inner = nn.Linear(embed_dim, ff_dim or 2 * embed_dim)

    with pytest.raises(Violation, match="40 parameters without ff_dim, and 80"):
        is_four_times_as_wide(LocalCandidate(Narrow), 4, 2)


def test_leaves_alone():
    assert leaves_alone(causal.construct(4), [x], "x") is None  # no remark


def test_drops_in_training_only():
    drops_in_training_only(lambda rate: causal.construct(4, dropout=rate), 0.5, x)


def test_drops_in_training():
    drops_in_training(causal.construct(4, dropout=0.5), [x])


def test_drops_nothing():
    drops_nothing(causal.construct(4, dropout=0.0), [x], "the output in training")


def test_is_not_linear():
    is_not_linear(lambda x: x.relu(), x)


def test_call_with_other_weights():
    module = causal.construct(4)
    before = module(x)
    assert not torch.equal(call_with_other_weights(module, [x], seed=1), before)


def test_depends_on():
    module = causal.construct(4)
    depends_on(module, module(x), [x + 1])


def test_uses_its_weights():
    module = causal.construct(4)
    uses_its_weights(module, module(x), [x], seed=1)


def test_in_double():
    judged = []
    in_double(judged.append, otherwise=torch.float32)
    assert judged == [torch.float64]


def test_treats_sequences_apart():
    output = treats_sequences_apart(causal.construct(4), [x])
    assert output.shape == x.shape


def test_does_not_look_ahead():
    changed = torch.cat([x[:, :-1], x[:, -1:] + 1], dim=1)
    does_not_look_ahead(causal.construct(4), [x], changed)


def test_ignores_masked_keys():
    module = causal.construct(4)
    mask, output = ignores_masked_keys(lambda x, mask: module(x, (~mask).long()), x, seed=1)
    assert mask.shape == (2, 1, 1, 3)
    assert output.shape == x.shape


def test_knows_no_future():
    knows_no_future(causal.construct(4), x)


def test_knows_no_future_at_its_length():
    changed = torch.cat([x[:, :-1], x[:, -1:] + 1], dim=1)
    knows_no_future_at_its_length(causal.construct(4), x, changed)


def test_either_way():
    module = causal.construct(4)
    either_way(lambda mask: shaped(module(x, mask), (2, 3, 4)), allowed(2, 3, seed=1))


def test_hides_what_is_masked():
    changed = torch.cat([x[:, :1] + 1, x[:, 1:]], dim=1)
    hides_what_is_masked(causal.construct(4), x, changed, position=0)


def test_refuses():
    refuses(causal, Indivisible(width=5, num_heads=2))


def test_reference_answer():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected = reference_answer(draw, CausalMean)
    expected.agree(causal.with_reference_weights(expected)(*draw.arguments))


def test_reference_answer_with_gradients():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected = reference_answer_with_gradients(draw, CausalMean)
    agree_gradients(expected, causal.with_reference_weights(expected))


def test_ReferenceAnswer():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected: ReferenceAnswer = reference_answer(draw, CausalMean)
    assert set(expected.parameters) == {"linear.weight", "linear.bias"}


def test_agree_gradients():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected = reference_answer_with_gradients(draw, CausalMean)
    agree_gradients(expected, causal.with_reference_weights(expected))


def test_require_gradients():
    module = causal.construct(4)
    require_gradients(module, module.gradients(x, upstream=[x]), of_input=True)


def test_Varied():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=40, seed=1)
    both = Varied(reference_answer(draw, CausalMean), reference_answer(shorten(draw), CausalMean))
    agree_in_variation(causal, both, answers_its_start_alike)


def test_vary():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=40, seed=1)
    both: Varied = vary(shorten)(draw, CausalMean)  # the `answer` of a check
    assert both.plain.draw.x.shape[1] == 6


def test_shorten():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=40, seed=1)
    assert shorten(draw).x.shape == (1, 6, 4)


def test_drop_mask():
    mask = torch.zeros(3, 3, dtype=torch.bool)
    assert drop_mask(modelled({"embed_dim": 4, "num_heads": 2}, 1, 3, seed=1, mask=mask)).mask is None


def test_cast_to_single():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)  # in float64
    assert cast_to_single(draw).x.dtype == torch.float32


def test_output_for():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected = reference_answer(draw, CausalMean)
    expected.agree(output_for(causal, expected))


def test_agree_in_variation():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=40, seed=1)
    agree_in_variation(causal, vary(shorten)(draw, CausalMean), answers_its_start_alike)


def test_agree_at_corner():
    config = {"embed_dim": 4, "num_heads": 2}
    alone, usual = (modelled(config, batch=2, length=length, seed=1) for length in (1, 3))
    agree_at_corner(causal, vary(lambda draw: usual)(alone, CausalMean))


def test_agree_in_double():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    assert agree_in_double(causal, vary(cast_to_single)(draw, CausalMean)) is None


def test_answers_its_input():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    answers_its_input(causal.construct(4).to(torch.float64), draw)


def test_answers_repeats_alike():
    draw = modelled({"embed_dim": 4}, batch=1, length=40, seed=1)
    answers_repeats_alike(LocalCandidate(nn.Linear).construct(4, 4).to(torch.float64), draw)


def test_answers_its_start_alike():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=40, seed=1)
    answers_its_start_alike(causal.construct(4).to(torch.float64), draw)


def test_takes_the_mask_written_out():
    mask = torch.tensor([[1, 0, 0], [1, 1, 0], [0, 1, 1]]).double()
    draw = modelled({"embed_dim": 4, "num_heads": 2}, 2, 3, seed=1, mask=mask.expand(2, 2, 3, 3))
    takes_the_mask_written_out(causal.construct(4).to(torch.float64), draw)


def test_HeadLayout():
    layout: HeadLayout = SEPARATE  # a last layer of its own, without bias
    assert layout.remark is None


def test_count_parameters():
    config = {"vocab_size": 5, "hidden_size": 4, "num_layers": 0, "intermediate_size": 6}
    assert count_parameters({**config, "max_position_embeddings": 7}) == (5 + 7 + 5 + 2) * 4


def test_layout_of():
    config = {"vocab_size": 5, "hidden_size": 4, "num_layers": 1, "intermediate_size": 6}
    config |= {"num_heads": 2, "max_position_embeddings": 7}
    assert layout_of(LocalCandidate(SimpleGPTModel), config) is SEPARATE


def test_Answers():
    draw = find(worded(heads=True, num_layers=sizes(1, 1), intermediate_size=sizes(1, 4)), lambda draw: True)
    by_layout: Answers = answers(draw, SimpleGPTModel)
    student = LocalCandidate(SimpleGPTModel)
    by_layout.to(student).agree(output_for(student, by_layout.to(student)))


def test_answers():
    draw = find(worded(heads=True, num_layers=sizes(1, 1), intermediate_size=sizes(1, 4)), lambda draw: True)
    student = LocalCandidate(SimpleGPTModel)
    expected = answers(draw, SimpleGPTModel, with_gradients=True).to(student)
    agree_gradients(expected, student.with_reference_weights(expected))


def test_at_layout():
    draw = find(worded(heads=True, num_layers=sizes(1, 1), intermediate_size=sizes(1, 4)), lambda draw: True)
    both = Varied(answers(draw, SimpleGPTModel), answers(draw, SimpleGPTModel))
    assert isinstance(at_layout(LocalCandidate(SimpleGPTModel), both).plain, ReferenceAnswer)


def test_defined():
    draw = find(attention(masked=True), lambda draw: True)
    _, weights = defined(draw)
    assert weights.exact.shape[-1] == draw.K.shape[-2]


def test_with_and_without_mask():
    draw = find(attention(masked=True), lambda draw: True)
    under_mask, without = with_and_without_mask(draw, scaled_dot_product_attention)
    assert under_mask[0].exact.shape == without[0].exact.shape  # of the output


def test_attention_answers_drop_mask():
    draw = find(attention(masked=True), lambda draw: True)
    assert attention_answers_drop_mask(draw).mask is None


def test_output_and_gradients():
    draw = find(attention(masked=False), lambda draw: True)
    _, of_Q, _, _ = output_and_gradients(draw, scaled_dot_product_attention)
    assert of_Q.exact.shape == draw.Q.shape


def test_output_by_products():
    draw = find(attention(), lambda draw: True)
    assert output_by_products(draw).exact.allclose(defined(draw)[0].exact)


def test_upstream():
    draw = find(attention(masked=False), lambda draw: True)
    assert upstream(draw).shape == (*draw.Q.shape[:-1], draw.V.shape[-1])


def test_surprising():
    halves = torch.tensor([0.5, 0.5])
    assert surprising(torch.tensor([5_050, 4_950]), halves) is None
    assert surprising(torch.tensor([9_000, 1_000]), halves) is not None


def test_are_too_few():
    assert are_too_few(28, cells=40, trials=150)
    assert not are_too_few(36, cells=40, trials=150)


def test_likeliest():
    counts = torch.tensor([[5_300, 4_700], [4_700, 5_300]])  # not surprising as halves
    even, uneven = torch.full((2, 2), 0.5), torch.tensor([[0.53, 0.47], [0.47, 0.53]])
    assert likeliest(counts, {"even": even, "uneven": uneven}) == ["uneven"]
    assert likeliest(torch.tensor([[5_100, 4_900], [4_950, 5_050]]), {"even": even}) == ["even"]


def test_tempered():
    logits = normal(4_000, 5, seed=1, scale=2.0)
    drawn = logits.argmax(-1)  # what a temperature of 0 would give
    assert tempered(logits, drawn) == 0.5


def test_margin():
    assert margin(10_000) < 0.05 < margin(1_000)


def test_BehaviourTrial():
    trial = BehaviourTrial(lambda model: str(model.construct(4)(x).shape[-1]))
    assert trial.observe(causal) == "4"


def test_language_model_behaviours():
    trials = language_model_behaviours(seed=1)
    assert all(isinstance(trial, BehaviourTrial) for trial in trials)


def test_LanguageModel():
    class Turned(Bigram):
        def forward(self, idx, targets=None):
            return super().forward(idx, targets)[::-1] if targets is not None else super().forward(idx).mT

    words, next_ids = (ids(1, 3, vocabulary=5, seed=seed) for seed in (1, 2))
    draw = Text({"vocab_size": 5}, words, next_ids)
    logits, loss = LanguageModel(LocalCandidate(Turned), draw).read(*draw.arguments)  # (loss, logits)
    loss_agrees(loss, logits, draw)
    alike(LanguageModel(LocalCandidate(Turned), draw)(draw.idx), logits)  # (B, V, T)


def test_bigram_bound():
    words = torch.tensor([[0, 1, 0, 1]])
    assert bigram_bound(words, torch.tensor([[1, 0, 1, 0]])) == 0  # what follows is sure
    assert bigram_bound(words, torch.tensor([[1, 0, 2, 0]])) == pytest.approx(math.log(2) / 2)


def test_has_a_right_loss():
    draw = Text({"vocab_size": 3}, torch.tensor([[0, 1, 2]]), torch.tensor([[1, 2, 0]]))
    assert has_a_right_loss(bigram, draw)


def test_knows_by_parameters_alone():
    draw = Text({"vocab_size": 3}, torch.tensor([[0, 1, 2]]), torch.tensor([[1, 2, 0]]))
    module = LanguageModel(bigram, draw, own_weights=True)
    module.train_steps(*draw.arguments, steps=40, rate=0.1)
    knows_by_parameters_alone(bigram, draw, module.parameters(), bound=1.5)
    with pytest.raises(Violation, match="does not know what was learnt"):
        knows_by_parameters_alone(bigram, draw, {}, bound=1.5)  # it was never taught


def test_text_with_readers():
    draw = text_with_readers(seed=1)
    assert torch.equal(draw.idx[0, :-1], draw.idx[1, :-1])
    assert draw.idx[:, -1].unique().numel() == len(draw.idx)


def test_pairs_with_readers():
    draw = pairs_with_readers(seed=1)
    assert torch.equal(draw.src[0], draw.src[1])


def test_language_model_chooses():
    model = LocalCandidate(reference("minigpt_model", "MiniGPT"))
    assert language_model_chooses(model, text_with_readers(seed=1))
    mean = dict(mistakes("minigpt_model", "MiniGPT"))["MiniGPT__mixes_without_attention"]
    assert language_model_chooses(LocalCandidate(mean), text_with_readers(seed=1)) is False


def test_translator_chooses():
    chooses = translator_chooses(translating, pairs_with_readers(seed=1))
    assert {name: asked() for name, asked in chooses.items()} == {
        "target": True,
        "source": True,
        "memory": True,
    }


def test_behaviour_checks_answers_extreme_sizes():
    def sees_the_id(model: Candidate, draw: Text) -> None:
        LanguageModel(model, draw).answers_its_input(draw)

    def words(size: int, seed: int) -> Text:
        return Text({"vocab_size": size}, ids(2, 3, vocabulary=size, seed=seed), seed=seed)

    behaviour_checks.answers_extreme_sizes(
        points=1,
        facts=[sees_the_id],
        usual=lambda seed: words(7, seed),
        answers_its_input=sees_the_id,
        fixed=[lambda seed: words(3, seed)],
        stretched=[Stretched(words)],
    )


def test_criterion():
    @criterion(points=1, at=Stage.MEASURED)
    def beats_the_bigram(seen: ModelFacts) -> None:
        """the loss is below a bigram's"""
        require(seen.trained.counted < seen.trained.bigram, "a bigram does better")

    assert beats_the_bigram.says == "the loss is below a bigram's"


def test_Stage():
    assert Stage.OPENED < Stage.ENCODED < Stage.MEASURED


def test_ModelFacts():
    seen = ModelFacts(Trained("ab", 12, 5, 8, counted=2.0, bigram=2.5))
    assert seen.garbled is None  # decoding gives the text back


def test_Share():
    half = Share(0.5, "half way from the bigram to the target")
    assert half.of == 0.5


def test_Doubt():
    doubt = Doubt("your instructor decides", staff="the model may know the text by heart")
    assert doubt.staff


def test_Growth():
    @check(
        points=1,
        grows_as=Growth("outer_product", "adds_one_by_one", products=lambda length, width: width * length**2),
        answer=lambda x: x.cumsum(1),
    )
    def grows_as_the_length(length: int, width: int) -> Timed:
        """time and memory grow as S"""
        return Timed(((1, length, width),))

    assert grows_as_the_length.grows_as.mistakes == ("outer_product", "adds_one_by_one")


def test_Timed():
    call = Timed(inputs=((2, 64, 16),), config={"embed_dim": 16})  # a module on (B, S, E)
    assert call.inputs[0][1] == 64


def test_DrawnAttention():
    # In the checks file, for a module that takes x and a mask, and answers with (output, weights):
    DRAWN = DrawnAttention(
        lambda x, mask: Model({"embed_dim": x.shape[-1], "num_heads": HEADS}, x, mask),
        BOTH_WAYS,
        weights_at=1,
    )
    free, future_hidden = (DRAWN.draw(torch.zeros(1, 3, 32), causal) for causal in DRAWN.causal)
    assert free.mask is None
    assert future_hidden.mask[0].tolist() == [False, True, True]


def test_sizes_of_model():
    # In the checks file, for a whole model that takes ids and answers with logits:
    DRAWN = DrawnAttention(lambda ids, _: Tokens(sizes_of_model(ids), ids), CAUSAL, is_model=True)
    draw = DRAWN.draw(torch.tensor([[1, 2, 1]]), True)
    assert draw.config["max_position_embeddings"] == 3
    assert draw.attention_mask is None


def test_flops_of_attention():
    assert flops_of_attention(batch=2, length=8, width=4) == 4 * 2 * 8 * 8 * 4
    assert flops_of_attention(batch=2, length=8, width=4, causal=True) == 2 * 2 * 8 * 8 * 4


def test_several():
    assert find(several(), lambda count: True) == 2  # never one alone, but for a check that is about it
    assert find(several(alone=True), lambda count: True) == 1


def test_units():
    assert find(units(), lambda count: True) == 5  # on the ladder of cases that are shown, two


def test_lengths():
    assert find(lengths(2, 6), lambda length: True) == 2
    assert find(lengths(2, 6, "length"), lambda length: True) == 1


def test_sizes():
    assert find(sizes(2, 5), lambda size: size > 2) == 3


def test_seeds():
    assert find(seeds(), lambda seed: seed > 0) == 1


def test_patterns():
    hidden_keys = patterns().map(lambda seed: normal(3, 3, seed=seed) > 0)  # a mask: the same in each run
    assert find(hidden_keys, lambda mask: bool(mask.any())).dtype == torch.bool


def test_floats():
    assert find(floats(), lambda dtype: True) is torch.float32


def test_normal():
    same(normal(2, 3, seed=1), normal(2, 3, seed=1))


def test_input_values():
    assert torch.equal(input_values(2, 3, seed=1), normal(2, 3, seed=1))  # in the draws that decide


def test_plain_inputs():
    with plain_inputs():  # in those that are shown
        values = input_values(2, 3, seed=1)
    assert torch.equal(2 * values, (2 * values).round())


def test_counting():
    assert counting(2, 2).tolist() == [[0, 1], [2, 3]]


def test_weights():
    drawn = weights({"linear.weight": (4, 4), "linear.bias": (4,)}, seed=1)
    assert causal.construct(4).load(drawn)(x).shape == x.shape


def test_Joined():
    draw = Joined(counting(1, 3, 8), num_heads=2)  # (B, S, E)
    assert draw.arguments == [draw.x, 2]


def test_Heads():
    draw = Heads(counting(1, 2, 3, 4))  # (B, H, S, D)
    assert student(*draw.arguments).shape == (1, 3, 8)


def test_Attention():
    draw = Attention(Q=x, K=x, V=x)
    assert len(draw.arguments) == 3  # without a mask


def test_heads():
    draw = find(heads(), lambda draw: draw.x.shape[1] == 2)
    assert draw.x.dim() == 4


def test_joined():
    draw = find(joined(), lambda draw: draw.num_heads == 2)
    assert draw.x.shape[-1] % 2 == 0


def test_attention():
    draw = find(attention(masked=True), lambda draw: True)
    assert draw.mask is not None


def test_masks():
    mask = find(masks((1, 2), 3, 3), lambda mask: bool(mask.any()))
    assert not mask.all(-1).any()  # no row is masked whole


def test_Given():
    draw: Given = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    assert causal.construct(**draw.config)(*map(Tensor.float, draw.arguments)).shape == (1, 3, 4)


def test_Input():
    assert Input({"embed_dim": 4}, x).argument_names == ["x"]


def test_Model():
    draw = Model({"embed_dim": 4, "num_heads": 2}, x)
    assert draw.arguments == [x]


def test_States():
    draw = States({"hidden_size": 4}, x, attention_mask=None)
    assert draw.arguments == [x]


def test_Segments():
    draw = Segments({"vocab_size": 9}, ids(1, 3, vocabulary=9, seed=1), attention_mask=padding(1, 3, seed=1))
    assert draw.kept is not None  # outputs at padding do not count


def test_Tokens():
    draw = Tokens({"vocab_size": 9}, ids(1, 3, vocabulary=9, seed=1), allowed(1, 3, seed=1))
    assert len(draw.arguments) == 2


def test_models():
    draw = find(models(masked=True, least=2), lambda draw: True)
    assert draw.config["embed_dim"] % draw.config["num_heads"] == 0


def test_Options():
    options = Options(other_names=("FeedFoward",), diagnostic_draws=lambda seed: [])
    assert options.mask is None


def test_ShapedBy():
    many_heads = ShapedBy(Heads, x="B H S D")  # a field of Heads, and the letters of its axes
    assert many_heads.make(1, {"B": 2, "H": 3, "S": 5, "D": 4}).x.shape == (2, 3, 5, 4)
    options = Options(diagnostic_draws=many_heads.diagnostic_draws)
    assert len({draw.x.shape for draw in options.diagnostic_draws(1)}) == 6


def test_TensorFunctionChecks():
    joined = TensorFunctionChecks(
        ShapedBy(Heads, x="B H S D"),
        output="B S E",
        shape=lambda draw: (len(draw.x), draw.x.shape[2], draw.x.shape[1] * draw.x.shape[3]),
    )
    keeps_the_shape = joined.keeps_the_shape(points=1, says="(B, H, S, D) becomes (B, S, H * D)")
    keeps_the_shape.judge(student, Heads(normal(1, 2, 3, 4, seed=1)))
    treats_sequences_apart = joined.treats_apart("B", points=1)
    treats_sequences_apart.judge(student, Heads(normal(2, 2, 3, 4, seed=1)))


def test_MeasureChecks():
    mean_loss = MeasureChecks("the loss", lambda draw: targets(lambda x: [x.mean()], [draw.logits])[0])
    is_one_number = mean_loss.is_one_number(points=1)
    is_one_number.judge(LocalCandidate(lambda logits, targets: logits.mean()), sized_tokens(2, 3, 7, seed=1))


def test_improbable():
    rare = improbable(-120.0)  # one token of each sequence has nearly no probability
    assert (surprises(rare.logits, rare.targets).amax(-1) == 120).all()


def test_read_number():
    assert read_number(2.5, x) == read_number(torch.tensor([2.5]), x)


def test_ScoredTokens():
    draw = sized_tokens(2, 5, 7, seed=1).padded(0)
    assert draw.counted.sum(1).tolist() == [5, 3]
    assert draw.tokens_alone.logits.shape == (1, 8, 7)


def test_scored_tokens():
    draw = find(scored_tokens(padded=True), lambda draw: True)
    assert 0 < draw.counted.sum() < draw.targets.numel()


def test_sized_tokens():
    assert sized_tokens(2, 5, 7, seed=1).logits.shape == (2, 5, 7)


def test_surprises():
    same(surprises(torch.zeros(1, 2, 8), torch.tensor([[3, -100]])), torch.full((1, 2), math.log(8)))


def test_ModuleChecks():
    network = ModuleChecks(fed(embed_dim=sizes(2, 6)), Options())
    treats_sequences_apart = network.treats_sequences_apart(points=1)
    treats_sequences_apart.judge(causal, Model({"embed_dim": 4}, x, seed=1))


def test_AttentionChecks():
    attention = AttentionChecks(fed(embed_dim=sizes(2, 6)), Options())
    does_not_look_ahead = attention.does_not_look_ahead(points=2, says="a later position changes nothing")
    does_not_look_ahead.judge(causal, Model({"embed_dim": 4}, x, seed=1))


def test_OutputAndWeightsChecks():
    attention = OutputAndWeightsChecks(models, Options(read=output_of))
    assert attention.answers_with_output_and_weights(points=3).answer is not None
    assert attention.shape_of_weights(Model({"num_heads": 2}, x)) == (2, 2, 3, 3)


def test_leaves_its_arguments_alone():
    leaves_its_argument_alone = leaves_its_arguments_alone(points=1, given=heads())
    leaves_its_argument_alone.judge(student, Heads(normal(1, 2, 3, 4, seed=1)))


def test_computes_in_double_precision():
    answers = attention(dtypes=(torch.float64,))
    computes_in_double_precision(
        points=1, given=answers, answer=defined, output_of=lambda called, draw: called(*draw.arguments)[0]
    )


def test_answers_the_smallest_sizes():
    one_of_each = answers_the_smallest_sizes(
        points=1,
        given=[heads(corner="H"), heads(corner="S")],
        output_of=lambda candidate, draw: candidate(draw.x),
        agrees=lambda output, draw: same(output, draw.x.transpose(1, 2).flatten(2)),
        usual=lambda seed: [Heads(normal(2, 3, 4, 5, seed=seed))],
    )
    one_of_each.judge(student, Heads(normal(2, 1, 3, 4, seed=1)))


def test_answers_extreme_sizes():
    def many_keys(keys: int, seed: int) -> Attention:
        Q, K, V = (normal(1, 1, length, 2, seed=seed + n) for n, length in enumerate((3, keys, keys)))
        return Attention(Q, K, V, seed=seed)

    answers_extreme_sizes(
        points=1,
        answer=lambda draw: defined(draw)[0],
        output_of=lambda called, draw: called(*draw.arguments)[0],
        usual=lambda seed: many_keys(4, seed),
        stretched=[many_keys],
    )


def test_takes_what_a_transpose_leaves():
    takes_heads_from_a_transpose = takes_what_a_transpose_leaves(points=1, names="x", given=heads())
    takes_heads_from_a_transpose.judge(student, Heads(normal(1, 2, 3, 4, seed=1)))


def test_passes_gradients_back():
    passes_gradients_back(
        points=1, given=attention(), answer=output_and_gradients, upstream=upstream, names="QKV"
    )


def test_in_single():
    assert in_single(Heads(normal(1, 2, 3, 4, seed=1, dtype=torch.float64))).x.dtype is torch.float32


def test_count_attention():
    assert count_attention(4) == 4 * (4 * 4 + 4)


def test_count_feed_forward():
    layers = nn.Linear(4, 6), nn.Linear(6, 4)
    assert count_feed_forward(4, 6) == sum(p.numel() for layer in layers for p in layer.parameters())


def test_count_norm():
    assert count_norm(4) == sum(p.numel() for p in nn.LayerNorm(4).parameters())


def test_count_layer():
    layer = nn.TransformerEncoderLayer(4, nhead=2, dim_feedforward=6)
    assert count_layer(4, 6) == sum(p.numel() for p in layer.parameters())


def test_count_grouped_attention():
    assert count_grouped_attention(12, num_heads=6, num_kv_heads=2) == 2 * 12 * 12 + 2 * 12 * 4


def test_is_bool():
    is_bool(torch.ones(3, 3).triu(1).bool())


def test_find_wrong():
    with pytest.raises(Violation, match="0 of sequence 1"):
        find_wrong(torch.tensor([[[False]], [[True]]]), "position {query} of sequence {sequence}")


def test_has_dtype():
    has_dtype(x, torch.float32)


def test_Drawn():
    assert Model({"embed_dim": 4}, x).argument_names == ["x", "mask"]
    assert Model.alive_at == (0,)


def test_fed():
    networks = fed(States, hidden_size=sizes(2, 6), block_size=lambda length: sizes(length, length + 3))
    draw = find(networks(least=3), lambda draw: True)
    assert draw.hidden_states.shape[-1] == draw.config["hidden_size"]


def test_Row():
    assert Row(batch=2, length=5, scale=0.05).mask is None


def test_fixed():
    diagnostic_draws = fixed(Model, "embed_dim", {"embed_dim": 4}, Row(2, 5), Row(1, 3, {"embed_dim": 2}))
    assert [tuple(draw.x.shape) for draw in diagnostic_draws(1)] == [(2, 5, 4), (1, 3, 2)]


def test_extremes():
    usual = {"embed_dim": 12, "num_heads": 3}
    made = extremes(partial(fixed, Model, "embed_dim", usual), "embed_dim", usual)
    assert [draw(1).config["num_heads"] for draw in made.fixed] == [2, 3]  # one head is for another check
    assert [max(size.draw(50, 1).x.shape) for size in made.stretched] == [50, 100, 50]


def test_fixed_ids():
    usual = {"vocab_size": 7, "hidden_size": 4}
    diagnostic_draws = fixed_ids(Tokens, usual, Row(2, 5, {"hidden_size": None}))
    [draw] = diagnostic_draws(1)
    assert draw.input_ids.shape == (2, 5) and draw.config == {"vocab_size": 7}


def test_modelled():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    assert draw.x.dtype is torch.float64


def test_Indivisible():
    draw = Indivisible(width=5, num_heads=2)
    assert draw.width % draw.num_heads


def test_indivisible():
    draw = find(indivisible(), lambda draw: True)
    assert draw.width % draw.num_heads


def test_of_length():
    at_length = of_length(models)
    assert find(at_length(40), lambda draw: True).x.shape[1] == 40


def test_ids():
    assert ids(2, 3, vocabulary=9, seed=1).max() < 9


def test_additive():
    assert additive(torch.tensor([True, False])).tolist() == [-1e9, 0]


def test_padding():
    assert padding(2, 3, seed=1)[:, 0].tolist() == [1, 1]


def test_padding_added():
    assert padding_added(2, 4)[:, 0, 0].tolist() == [[0, 0, -1e9, -1e9], [0, 0, 0, 0]]


def test_scattered():
    mask = scattered(1, 4, seed=1)
    assert mask.shape == (1, 3, 4, 4) and bool((mask[0].diagonal(dim1=1, dim2=2) == 0).all())


def test_allowed():
    assert allowed(2, 3, seed=1).shape == (2, 1, 3, 3)


def test_hiding():
    mask = hiding(1, 3, seed=1)
    assert mask.any(-1).all()  # each row hides a key
    assert (~mask).any(-1).all()  # and shows one


def test_causal_mask():
    assert causal_mask(3).long().tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_almost_causal():
    assert almost_causal(3).long().tolist() == [[0, 1, 1], [0, 0, 1], [0, 1, 0]]


def test_attended():
    draw = find(attended("allowed", intermediate_size=sizes(2, 3)), lambda draw: True)
    assert set(draw.config) == {"hidden_size", "num_heads", "intermediate_size"}


def test_grouped():
    draw = find(grouped(), lambda draw: True)
    assert draw.config["num_heads"] == 6 and draw.config["num_kv_heads"] in (2, 3)
    as_many = find(grouped(corner=AS_MANY), lambda draw: True)
    assert as_many.config["num_heads"] == as_many.config["num_kv_heads"]


def test_grouped_words():
    draw = find(grouped_words(num_layers=sizes(2, 3)), lambda draw: True)
    assert set(draw.config) == {"vocab_size", "dim", "num_heads", "num_kv_heads", "num_layers"}


def test_grouped_extremes():
    made = grouped_extremes(partial(fixed, Input, "dim", {}), hidden_dim=5)
    assert [draw(1).config["num_kv_heads"] for draw in made.fixed] == [4, 2]
    assert [max(size.draw(50, 1).config.values()) for size in made.stretched] == [56, 100, 50, 8]


def test_segmented():
    draw = find(segmented(padded=True), lambda draw: True)
    assert draw.attention_mask is not None


def test_worded():
    draw = find(worded(masked=True), lambda draw: True)
    assert draw.input_ids.min() > 0


def test_Prompt():
    draw = find(prompts(), lambda draw: True)
    assert draw.shape[1] == draw.idx.shape[1] + draw.max_new_tokens


def test_widen_block():
    short = widen_block(find(prompts(cropped=True), lambda draw: True))
    assert short.shape[1] <= short.block_size


def test_cropped_and_whole():
    draw = find(prompts(cropped=True), lambda draw: True)
    cropped, whole = cropped_and_whole(draw)
    assert cropped.shape == draw.shape
    assert whole.shape == widen_block(draw).shape


def test_graded():
    assert graded(seed=1).max_new_tokens == 1


def test_prompts():
    draw = find(prompts(cropped=True), lambda draw: True)
    assert draw.idx.shape[1] + draw.max_new_tokens - 1 > draw.block_size


def test_sure():
    assert sure(words=5, seed=1).softmax(-1).max(-1).values.min() > 0.999


def test_continue_prompts():
    draw = find(prompts(), lambda draw: True)
    assert continue_prompts(draw).shape == draw.shape


def test_uncertain():
    draw = find(uncertain(), lambda draw: True)
    assert len(draw.idx) == 4_000


def test_generated_text():
    draw = Prompt(torch.tensor([[3, 4]]), 2, 8, sure(words=5, seed=1))
    same(generated_text(torch.tensor([[1, 2]]), draw), torch.tensor([[3, 4, 1, 2]]))  # new ids alone
    same(generated_text([[3, 4, 1, 2, 0]], draw), torch.tensor([[3, 4, 1, 2]]))  # a list, and one id too many


def test_text_of_model():
    def guess(model, idx, max_new_tokens, block_size):
        return torch.tensor([[1, 2]])  # the ids that are due, without a call of the model

    draw, guessing = Prompt(torch.tensor([[3, 4]]), 2, 8, sure(words=5, seed=1)), LocalCandidate(guess)
    model = guessing.make_model("TableModel", table=draw.table)
    with pytest.raises(Violation, match="the model is never called"):
        text_of_model(guessing(model, draw.idx, 2, 8), model, draw)


def test_expected_probabilities():
    first, both = expected_probabilities(find(uncertain(), lambda draw: True))
    alike(both.sum(-1), first)


def test_open_ended():
    assert find(open_ended(), lambda draw: True).max_new_tokens == 9


def test_Text():
    draw = Text({"vocab_size": 5}, ids(1, 3, vocabulary=5, seed=1))
    assert draw.shape == (1, 3, 5)  # of the logits


def test_texts():
    draw = find(texts(targeted=True), lambda draw: True)
    assert draw.targets.shape == draw.idx.shape


def test_logits_of():
    draw = find(texts(), lambda draw: True)
    logits, _remark = logits_of(bigram.construct(**draw.config)(*draw.alone), draw)
    assert logits.shape == draw.shape


def test_both_of():
    draw = find(texts(targeted=True), lambda draw: True)
    _logits, loss, _remark = both_of(bigram.construct(**draw.config)(*draw.arguments), draw)
    assert loss.shape == ()


def test_loss_agrees():
    draw = find(texts(targeted=True), lambda draw: True)
    logits, loss, _ = both_of(bigram.construct(**draw.config)(*draw.arguments), draw)
    loss_agrees(loss, logits, draw)


def test_due():
    logits, words = normal(1, 3, 5, seed=1), ids(1, 3, vocabulary=5, seed=1)
    agree(nn.functional.cross_entropy(logits[0], words[0]), due(logits, words))


def test_moves():
    assert moves(x, x + 1)
    assert not moves(x, x * (1 + 1e-7))


def test_influences():
    seen = influences(bigram.construct(5), torch.tensor([1, 2, 3]), vocabulary=5)
    assert seen.tolist() == torch.eye(3, dtype=torch.bool).tolist()  # each position sees itself alone


def test_logits_for():
    assert logits_for(bigram.construct(5), torch.tensor([[1, 2, 3]]), vocabulary=5).shape == (1, 3, 5)


def test_are_probabilities():
    assert are_probabilities(x.softmax(-1))
    assert not are_probabilities(x)


def test_Wrapped():
    draw = Wrapped(torch.zeros(2, 5, 3), torch.eye(3))
    assert draw.dim == 3  # the width of the input, and of the layer that is lent


def test_wrapped():
    draw = wrapped(2, 5, 3, seed=1, dtype=torch.float64)
    assert draw.x.shape == (2, 5, 3)
    assert draw.weight.shape == (3, 3)


def test_wrapped_layers():
    draw = find(wrapped_layers(), lambda draw: True)
    assert draw.x.shape[-1] == draw.weight.shape[0] >= 3


def test_Crossed():
    draw = Crossed({"embed_dim": 4, "num_heads": 2, "kv_dim": 5}, x, normal(2, 6, 5, seed=2))
    assert len(draw.arguments) == 2  # without a mask


def test_Decoded():
    draw = Decoded({"embed_dim": 4, "num_heads": 2}, x, normal(2, 6, 4, seed=2))
    assert len(draw.arguments) == 2  # without masks


def test_crossed():
    draw = find(crossed(masked=True), lambda draw: True)
    assert draw.memory.shape[1:] != draw.x.shape[1:]  # neither as long nor as wide


def test_decoded():
    draw = find(decoded(masked=True), lambda draw: True)
    assert draw.memory.shape[1] != draw.x.shape[1]


def test_fixed_memories():
    usual = {"embed_dim": 4, "num_heads": 2, "kv_dim": 3}
    [draw] = fixed_memories(Crossed, usual, Row(2, 5))(1)
    assert draw.memory.shape == (2, 6, 3)


def test_Sequences():
    draw = Sequences({"input_size": 4, "hidden_size": 5}, x, normal(2, 5, seed=2))
    assert len(draw.arguments) == 2  # x and h0


def test_sequences():
    draw = find(sequences(started=True), lambda draw: True)
    assert draw.h0.shape == (draw.x.shape[0], draw.config["hidden_size"])


def test_fixed_sequences():
    [draw] = fixed_sequences({"input_size": 4, "hidden_size": 5}, Row(2, 3))(1)
    assert draw.x.shape == (2, 3, 4)
    assert draw.h0 is None


def test_without_first_state():
    assert without_first_state(find(sequences(started=True), lambda draw: True)).h0 is None


def test_CellInput():
    draw = CellInput({"input_size": 4, "hidden_size": 5}, x[:, 0], normal(2, 5, seed=2), normal(2, 5, seed=3))
    assert len(draw.arguments) == 3  # x, h and c


def test_StateInput():
    draw = StateInput({"input_size": 4, "hidden_size": 5}, x[:, 0], normal(2, 5, seed=2))
    assert len(draw.arguments) == 2  # x and h


def test_cell_inputs():
    draw = find(cell_inputs(CellInput), lambda draw: True)
    assert draw.h.shape == draw.c.shape


def test_fixed_cell_inputs():
    [draw] = fixed_cell_inputs(StateInput, {"input_size": 4, "hidden_size": 5}, Row(2, 1))(1)
    assert draw.h.shape == (2, 5)


def test_has_gates():
    has_gates(gru, {"input_size": 4, "hidden_size": 5}, gates=3)
    with pytest.raises(Violation, match="there should be 80 parameters"):
        has_gates(gru, {"input_size": 4, "hidden_size": 4}, gates=2)


def test_remembers():
    module = recurrent.construct(input_size=4, hidden_size=5)
    remembers(lambda x: module(x)[0], x)


def test_outputs_start_alike():
    draw = find(sequences(least=33, most=40), lambda draw: True)
    start_alike = outputs_start_alike(lambda answer, _x: answer[0])
    start_alike(recurrent.construct(**draw.config), draw)


def test_shape_of_state():
    draw = CellInput({"input_size": 4, "hidden_size": 5}, x[:, 0])
    assert shape_of_state(draw) == (2, 5)


def test_state_of():
    assert state_of((x, 2 * x), None) is x  # (h', c')


def test_begins_with_zeros():
    begins_with_zeros(gru, find(cell_inputs(StateInput), lambda draw: True))


def test_teaches_the_states():
    teaches_the_states(gru, find(cell_inputs(StateInput), lambda draw: True))


def test_states():
    assert states(2, 3, 4, seed=1).dtype is torch.float64


def test_Hashed():
    vectors = normal(4, 2, seed=1)
    draw = Hashed(vectors, vectors, buckets=torch.tensor([[0, 1, 0, 2]]))
    assert draw.alone.tolist() == [False, True, False, True]


def test_hashed_of():
    draw = hashed_of((2,), length=5, rounds=3, seed=1, put=ALONE)
    assert draw.buckets.shape == (2, 3, 5)
    assert draw.alone[:, -1].all()


def test_hashed():
    draw = find(hashed(rounds=(2, 2)), lambda draw: not draw.alone.any())
    assert draw.one_bucket.buckets.shape[-2] == 1


def test_memory_properties_answers_repeats_alike():
    draw = find(crossed(least=12, most=20), lambda draw: True)
    memory_properties_answers_repeats_alike(crossing.construct(**draw.config), draw)


def test_takes_the_masks_written_out():
    draw = find(crossed(masked=True, least=3), lambda draw: bool(draw.mask.any()))
    takes_the_masks_written_out(crossing.construct(**draw.config), draw)


def test_ignores_masked_memory():
    module = crossing.construct(4, 2)
    memory = normal(2, 5, 4, seed=2)
    _mask, output = ignores_masked_memory(lambda m, mask: module(x, m, mask)[0], memory, seed=3)
    assert output.shape == x.shape


def test_knows_no_order_of_the_memory():
    draw, module = Crossed({}, x, normal(2, 5, 4, seed=2)), crossing.construct(4, 2)
    output = knows_no_order_of_the_memory(lambda draw: module(*draw.arguments)[0], draw)
    assert output.shape == x.shape


def test_teaches_the_memory():
    teaches_the_memory(crossing.construct(4, 2), Crossed({}, x, normal(2, 5, 4, seed=2)))


def test_is_pair():
    assert is_pair((x, x))
    assert not is_pair(x)


def test_place_of_output():
    assert place_of_output((normal(2, 1, 3, 5, seed=1), x), x) == 1  # the weights come first


def test_output_of():
    same(output_of((normal(2, 1, 3, 5, seed=1), x), x), x)


def test_weights_of():
    per_head = normal(2, 1, 3, 5, seed=1)
    assert weights_of((x, per_head), x, (2, 1, 3, 5)) is per_head


def test_Translation():
    draw = Translation(torch.tensor([[4, 5]]), 0, 1, 2, max_len=6, table=stopping(9, stop_id=1, seed=1))
    assert draw.arguments[1:] == [0, 1, 2, 6]  # the model comes before them


def test_stopping():
    assert (stopping(9, stop_id=1, seed=1).argmax(-1) == 1).any()


def test_translation():
    draw = translation(batch=3, length=4, most=8, seed=1)
    assert draw.src.shape == (3, 4)


def test_translations():
    draw = find(translations(endless=True), lambda draw: True)
    assert translate(draw).shape[1] == 1 + draw.max_len


def test_translate():
    draw = translation(batch=3, length=4, most=8, seed=1)
    assert (translate(draw)[:, 0] == draw.start_id).all()


def test_decoded_ids():
    draw = translation(batch=3, length=4, most=8, seed=1)
    same(decoded_ids(translate(draw)[:, 1:].tolist(), draw), translate(draw))  # a list, and no start


def test_Pairs():
    draw = Pairs(small, torch.tensor([[1, 2]]), torch.tensor([[3, 4, 5]]))
    assert draw.shape == (1, 3, 9)  # of the logits


def test_paired():
    assert paired(small, batch=2, source=3, target=4, seed=1).tgt.shape == (2, 4)


def test_pairs():
    draw = find(pairs(least=2), lambda draw: True)
    assert draw.src.shape[1] != draw.tgt.shape[1]


def test_Translator():
    draw = paired(small, batch=2, source=3, target=4, seed=1)
    translator = Translator(translating, draw)
    alike(translator.decode(draw.tgt, translator.encode(draw.src)), translator(draw.src, draw.tgt).detach())


def test_without_padding():
    draw = without_padding(paired(small, batch=2, source=3, target=4, seed=1))
    assert min(draw.src.min(), draw.tgt.min()) >= 2


def test_with_another_last_id():
    draw = without_padding(paired(small, batch=2, source=3, target=4, seed=1))
    changed = with_another_last_id(draw.tgt, draw)
    assert (changed[:, -1] != draw.tgt[:, -1]).all() and (changed >= 2).all()
    assert torch.equal(changed[:, :-1], draw.tgt[:, :-1])


def test_find_shared_layers():
    draw = paired({**small, "num_layers": 2}, batch=1, source=3, target=4, seed=1)
    assert find_shared_layers(translating, draw) == ""


def test_source_influences():
    draw = paired(small, batch=1, source=3, target=4, seed=1)
    assert source_influences(Translator(translating, draw), draw).all()


def test_target_influences():
    draw = paired(small, batch=1, source=3, target=4, seed=1)
    seen = target_influences(Translator(translating, draw), draw)
    assert torch.equal(seen, torch.ones(4, 4).tril().bool())


def test_memory_influences():
    draw = paired(small, batch=1, source=3, target=4, seed=1)
    assert memory_influences(Translator(translating, draw), draw).all()


def test_looks():
    draw = paired(small, batch=1, source=3, target=4, seed=1)
    assert looks(Translator(translating, draw), draw).shape == (4, 3)


def test_translation_behaviours():
    trials = translation_behaviours(seed=1)
    assert all(isinstance(trial, BehaviourTrial) for trial in trials)


def test_LocalText():
    draw = LocalText(torch.zeros(1, 1, 4, 2), torch.zeros(1, 1, 4, 2), torch.zeros(1, 1, 4, 2), window=2)
    assert draw.arguments[3] == 2
    assert draw.distance[0].tolist() == [0, 1, 2, 3]


def test_local_texts():
    draw = find(local_texts(windows=(2, 3)), lambda draw: True)
    assert draw.window < draw.Q.shape[2]


def test_short_local_texts():
    draw = find(short_local_texts(), lambda draw: True)
    assert draw.window >= draw.Q.shape[2]


def test_narrow_local_windows():
    assert find(narrow_local_windows(), lambda draw: True).window == 0


def test_local_text_of():
    draw = local_text_of((1, 2, 6, 3), window=2, seed=1, dtype=torch.float64)
    assert draw.K.shape == (1, 2, 6, 3)
    assert draw.K.dtype == torch.float64


def test_read_rows():
    answer = (torch.tensor([5, 6]), [0, 1])
    assert read_rows(answer, ["ids", "types"]) == [[5, 6], [0, 1]]
    assert read_rows({"types": [0, 1], "ids": [5, 6]}, ["ids", "types"]) == [[5, 6], [0, 1]]


def test_returns_lists():
    assert returns_lists(([5, 6], [0, 1]), ["ids", "types"]) is None
    with pytest.raises(Violation, match="types should be a list of ints"):
        returns_lists(([5, 6], [0.0, 1.0]), ["ids", "types"])


def test_rows_as_lists():
    assert rows_as_lists((torch.tensor([5, 6]), [0, 1])) == [[5, 6], [0, 1]]


def test_OtherParameters():
    with pytest.raises(Violation, match="no bias"):  # what is about parameters is a violation
        raise OtherParameters("there is no bias")


def test_NoTensor():
    with pytest.raises(NoTensor, match="should be a plain tensor"):
        tensor(None)


def test_OtherCount():
    with pytest.raises(OtherCount, match="should be 6 parameters, but there are 8: w"):
        has_parameters({"w": torch.zeros(2, 4)}, 6)


def test_teaches():
    draw = modelled({"embed_dim": 4, "num_heads": 2}, batch=1, length=3, seed=1)
    expected = reference_answer_with_gradients(draw, CausalMean)
    module = teaches(causal, expected)  # a module with other parameters must have gradients of its own
    assert set(module.shapes()) == {"linear.weight", "linear.bias"}
