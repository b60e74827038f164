"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

IGNORED = -100

HALF = (
    "left_to_the_model",
    "shifted_twice",
    "shifted_backwards",
)
SMALL = (
    "first_id_of_the_answer_hidden",
    "last_id_of_the_prompt_learned",
    "hidden_by_value",
    "hidden_with_0",
    "hidden_with_minus_1",
    "one_position_more",
    "a_dict",
    "changes_its_lists",
)


def instruction_labels(prompt, answer, eos):
    text = [*prompt, *answer, eos]
    hidden = len(prompt) - 1  # the last id of the prompt already predicts the answer
    return text[:-1], [IGNORED] * hidden + text[len(prompt) :]


def instruction_labels__left_to_the_model(prompt, answer, eos):
    """The labels are as long as the text and are not shifted, as where the model or its loss shifts them
    (transformers does so). Here nothing shifts behind this function: each target is the id that comes next.

    fr: Les labels sont aussi longs que le texte et ne sont pas décalés, comme lorsque le modèle ou sa perte
    les décale (ce que fait transformers). Ici, rien ne décale après cette fonction : chaque cible est
    l'identifiant qui suit.
    """
    return [*prompt, *answer, eos], [IGNORED] * len(prompt) + [*answer, eos]


def instruction_labels__not_shifted(prompt, answer, eos):
    """At each position the target is the id that stands there: the model learns to copy. Look at the shift.

    fr: À chaque position, la cible est l'identifiant qui s'y trouve : le modèle apprend à recopier. Regardez
    le décalage.
    """
    return [*prompt, *answer], [IGNORED] * len(prompt) + [*answer]


def instruction_labels__shifted_twice(prompt, answer, eos):
    """The targets are shifted by two: at each position stands the id after the next. Once is enough.

    fr: Les cibles sont décalées de deux : à chaque position se trouve l'identifiant d'après le suivant. Une
    fois suffit.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [*targets[1:], IGNORED]


def instruction_labels__shifted_backwards(prompt, answer, eos):
    """The target is the id that came before. The model should predict the next one: look at which of the two
    lists loses its first id.

    fr: La cible est l'identifiant qui précède. Le modèle doit prédire le suivant : regardez laquelle des deux
    listes perd son premier identifiant.
    """
    text = [*prompt, *answer, eos]
    return text[1:], [IGNORED] * len(prompt) + [*answer]


def instruction_labels__prompt_learned(prompt, answer, eos):
    """The prompt is learned too. Its ids should be -100 among the targets.

    fr: La consigne est apprise aussi. Ses identifiants doivent valoir -100 parmi les cibles.
    """
    text = [*prompt, *answer, eos]
    return text[:-1], text[1:]


def instruction_labels__answer_hidden(prompt, answer, eos):
    """The answer is hidden and the prompt is learned; it should be the other way round.

    fr: La réponse est cachée et la consigne est apprise ; ce devrait être l'inverse.
    """
    return [*prompt, *answer], [*prompt[1:]] + [IGNORED] * (len(answer) + 1)


def instruction_labels__without_eos(prompt, answer, eos):
    """eos is missing: the model never learns where an answer ends.

    fr: Il manque eos : le modèle n'apprend jamais où finit une réponse.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs[:-1], targets[:-1]


def instruction_labels__eos_hidden(prompt, answer, eos):
    """eos is -100 among the targets, as where all padding is hidden and padding has the same id. It should be
    learned.

    fr: eos vaut -100 parmi les cibles, comme lorsque tout le remplissage est caché et porte le même
    identifiant. Il doit être appris.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [*targets[:-1], IGNORED]


def instruction_labels__eos_behind_the_prompt(prompt, answer, eos):
    """An eos stands between prompt and answer. The text has one, at its end.

    fr: Un eos se trouve entre la consigne et la réponse. Le texte n'en a qu'un, à la fin.
    """
    return instruction_labels([*prompt, eos], answer, eos)


def instruction_labels__eos_twice(prompt, answer, eos):
    """eos stands twice at the end. Once is enough.

    fr: eos est répété à la fin. Une fois suffit.
    """
    return instruction_labels(prompt, [*answer, eos], eos)


def instruction_labels__first_id_of_the_answer_hidden(prompt, answer, eos):
    """The answer's first id is hidden too: one -100 too many. Which position predicts it?

    fr: Le premier identifiant de la réponse est caché aussi : un -100 de trop. Quelle position le prédit ?
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [IGNORED] * len(prompt) + targets[len(prompt) :]


def instruction_labels__last_id_of_the_prompt_learned(prompt, answer, eos):
    """The last id of the prompt is learned: one -100 too few.

    fr: Le dernier identifiant de la consigne est appris : il manque un -100.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    place = len(prompt) - 2
    return inputs, [prompt[-1] if n == place else target for n, target in enumerate(targets)]


def instruction_labels__hidden_by_value(prompt, answer, eos):
    """Ids of the answer that also stand in the prompt are hidden. What is hidden follows from the place, and
    not from the value.

    fr: Des identifiants de la réponse qui figurent aussi dans la consigne sont cachés. Ce qui est caché
    dépend de la place, et non de la valeur.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [IGNORED if target in prompt else target for target in targets]


def instruction_labels__hidden_with_0(prompt, answer, eos):
    """The prompt is hidden with 0, which is an id: it is learned. -100 is what the loss ignores.

    fr: La consigne est cachée par 0, qui est un identifiant : il est appris. C'est -100 que la perte ignore.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [0 if target == IGNORED else target for target in targets]


def instruction_labels__hidden_with_minus_1(prompt, answer, eos):
    """The prompt is hidden with -1, which some losses are told to ignore. Here it is -100.

    fr: La consigne est cachée par -1, que l'on demande parfois à la perte d'ignorer. Ici, c'est -100.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return inputs, [-1 if target == IGNORED else target for target in targets]


def instruction_labels__hidden_in_the_inputs(prompt, answer, eos):
    """The prompt is -100 in the inputs too: no embedding has that row, and the model has to read the prompt.

    fr: La consigne vaut -100 aussi dans les entrées : aucun embedding n'a cette ligne, et le modèle doit lire
    la consigne.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return [IGNORED] * len(prompt) + inputs[len(prompt) :], targets


def instruction_labels__answer_not_read(prompt, answer, eos):
    """The inputs are the prompt alone, and the targets the answer, as for an encoder and a decoder. A causal
    model reads the answer too, and predicts each id from those before.

    fr: Les entrées sont la consigne seule, et les cibles la réponse, comme pour un encodeur et un décodeur.
    Un modèle causal lit aussi la réponse, et prédit chaque identifiant d'après les précédents.
    """
    return [*prompt], [*answer, eos]


def instruction_labels__one_position_more(prompt, answer, eos):
    """eos stands in the inputs too, where nothing follows. The inputs are the text without it.

    fr: eos figure aussi dans les entrées, où rien ne le suit. Les entrées sont le texte sans lui.
    """
    inputs, targets = instruction_labels(prompt, answer, eos)
    return [*inputs, eos], [*targets, IGNORED]


def instruction_labels__swapped(prompt, answer, eos):
    """The targets come first; the pair is (inputs, targets).

    fr: Les cibles viennent en premier ; la paire est (inputs, targets).
    """
    return instruction_labels(prompt, answer, eos)[::-1]


def instruction_labels__a_dict(prompt, answer, eos):
    """A dict comes back; the pair (inputs, targets) is due.

    fr: C'est un dict qui est rendu ; on attend la paire (inputs, targets).
    """
    return dict(zip(("input_ids", "labels"), instruction_labels(prompt, answer, eos), strict=True))


def instruction_labels__changes_its_lists(prompt, answer, eos):
    """The caller's prompt becomes longer: extend and += act on it. Make a new list.

    fr: La consigne de l'appelant s'allonge : extend et += agissent sur elle. Créez une nouvelle liste.
    """
    rows = instruction_labels(prompt, answer, eos)
    prompt += [*answer, eos]
    return rows
