"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch

IGNORED = -100

WHOLE = ("special_ids_alone",)
HALF = (
    "labels_of_all",
    "labels_of_the_inputs",
    "random_everywhere",
    "always_masked",
)
SMALL = (
    "share_ignored",
    "never_the_last_id",
    "never_id_0",
    "hidden_with_0",
    "hidden_with_minus_1",
    "always_the_same",
    "another_generator",
    "changes_the_ids",
)


def choose(ids, special, share):
    return (torch.rand(ids.shape) < share) & ~special


def draw_ids(ids, vocab_size):
    return torch.randint(vocab_size, ids.shape)


def replace(ids, chosen, mask_id, others, masked=0.8, changed=0.1):
    """The ids with the chosen ones masked, changed or left, by one draw for each."""
    fate = torch.rand(ids.shape)
    inputs = torch.where(chosen & (fate < masked), mask_id, ids)
    return torch.where(chosen & (fate >= masked) & (fate < masked + changed), others, inputs)


def mask_tokens(ids, special, vocab_size, mask_id, share=0.15):
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size))
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__labels_of_all(ids, special, vocab_size, mask_id, share=0.15):
    """The labels are all ids: the model learns to copy what it sees. Where nothing was chosen, -100 is due.

    fr: labels contient tous les identifiants : le modèle apprend à recopier ce qu'il voit. Là où rien n'est
    choisi, on attend -100.
    """
    return mask_tokens(ids, special, vocab_size, mask_id, share)[0], ids.clone()


def mask_tokens__labels_of_the_inputs(ids, special, vocab_size, mask_id, share=0.15):
    """The labels are read off after the change: they hold [MASK]. Look at when they are copied.

    fr: Les labels sont lus après le changement : ils contiennent [MASK]. Regardez à quel moment ils sont
    copiés.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    return inputs, torch.where(labels == IGNORED, IGNORED, inputs)


def mask_tokens__labels_where_something_changed(ids, special, vocab_size, mask_id, share=0.15):
    """Positions that were chosen and stay as they are have no label. They are guessed too: nothing tells them
    from the others.

    fr: Les positions choisies qui restent telles quelles n'ont pas de label. Elles sont devinées aussi : rien
    ne les distingue des autres.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    return inputs, labels.masked_fill(inputs == ids, IGNORED)


def mask_tokens__choice_for_labels(ids, special, vocab_size, mask_id, share=0.15):
    """Which positions are chosen comes back in the place of the labels. A label is the old id, or -100.

    fr: Ce sont les positions choisies qui sont rendues à la place des labels. Un label est l'ancien
    identifiant, ou -100.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    return inputs, labels != IGNORED


def mask_tokens__hidden_with_0(ids, special, vocab_size, mask_id, share=0.15):
    """What was not chosen has the label 0, which is an id and is learned. -100 is what the loss ignores.

    fr: Ce qui n'est pas choisi a le label 0, qui est un identifiant et sera appris. C'est -100 que la perte
    ignore.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    return inputs, labels.clamp(min=0)


def mask_tokens__hidden_with_minus_1(ids, special, vocab_size, mask_id, share=0.15):
    """What was not chosen has the label -1. -100 is what the loss ignores if nothing else is said.

    fr: Ce qui n'est pas choisi a le label -1. C'est -100 que la perte ignore si on ne dit rien d'autre.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    return inputs, labels.clamp(min=-1)


def mask_tokens__special_chosen(ids, special, vocab_size, mask_id, share=0.15):
    """Special ids are chosen too. [CLS], [SEP] and padding are no words that could be guessed.

    fr: Les identifiants spéciaux sont choisis aussi. [CLS], [SEP] et le remplissage ne sont pas des mots que
    l'on pourrait deviner.
    """
    return mask_tokens(ids, torch.zeros_like(special), vocab_size, mask_id, share)


def mask_tokens__special_ids_alone(ids, special, vocab_size, mask_id, share=0.15):
    """Only special ids are chosen: special is read the other way round. True = never chosen.

    fr: Seuls les identifiants spéciaux sont choisis : special est lu à l'envers. True = jamais choisi.
    """
    return mask_tokens(ids, ~special, vocab_size, mask_id, share)


def mask_tokens__always_masked(ids, special, vocab_size, mask_id, share=0.15):
    """All chosen positions become [MASK]; 80 % should, and 10 % become another id, and 10 % stay.

    fr: Toutes les positions choisies deviennent [MASK] ; 80 % le doivent, 10 % deviennent un autre
    identifiant et 10 % restent.
    """
    chosen = choose(ids, special, share)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, IGNORED)


def mask_tokens__a_tenth_of_the_rest(ids, special, vocab_size, mask_id, share=0.15):
    """A tenth of what is not masked becomes a random id. That is 2 % of the chosen ones, and 10 % are due:
    half of what is left.

    fr: Un dixième de ce qui n'est pas masqué devient un identifiant au hasard. C'est 2 % des positions
    choisies, et on en attend 10 % : la moitié de ce qui reste.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size), changed=0.02)
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__nothing_stays(ids, special, vocab_size, mask_id, share=0.15):
    """Every chosen position is changed: 20 % become a random id. Half of these should stay as they are.

    fr: Toute position choisie est changée : 20 % deviennent un identifiant au hasard. La moitié d'entre elles
    devraient rester telles quelles.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size), changed=0.2)
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__no_random_ids(ids, special, vocab_size, mask_id, share=0.15):
    """20 % of the chosen positions stay and none becomes a random id; 10 % of each are due.

    fr: 20 % des positions choisies restent et aucune ne devient un identifiant au hasard ; on attend 10 % de
    chaque.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size), changed=0.0)
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__shares_exchanged(ids, special, vocab_size, mask_id, share=0.15):
    """10 % of the chosen positions become [MASK] and 80 % a random id; it should be the other way round.

    fr: 10 % des positions choisies deviennent [MASK] et 80 % un identifiant au hasard ; ce devrait être
    l'inverse.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size), masked=0.1, changed=0.8)
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__kept_with_that_share(ids, special, vocab_size, mask_id, share=0.15):
    """share is the probability of being left alone, where it is that of being chosen. Look at the comparison.

    fr: share est la probabilité d'être laissé tranquille, alors que c'est celle d'être choisi. Regardez la
    comparaison.
    """
    return mask_tokens(ids, special, vocab_size, mask_id, 1 - share)


def mask_tokens__share_ignored(ids, special, vocab_size, mask_id, share=0.15):
    """15 % are chosen, whatever share says.

    fr: 15 % sont choisis, quoi que dise share.
    """
    return mask_tokens(ids, special, vocab_size, mask_id)


def mask_tokens__same_positions_in_all_rows(ids, special, vocab_size, mask_id, share=0.15):
    """One draw decides for a whole column: the same positions are chosen in all sequences.

    fr: Un seul tirage décide pour toute une colonne : les mêmes positions sont choisies dans toutes les
    séquences.
    """
    chosen = choose(ids[0], torch.zeros_like(special[0]), share) & ~special
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size))
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__a_fixed_number(ids, special, vocab_size, mask_id, share=0.15):
    """The same number of positions is chosen in every sequence. Here each is chosen by itself, so that the
    number varies.

    fr: Le même nombre de positions est choisi dans chaque séquence. Ici, chacune est choisie à part, si bien
    que le nombre varie.
    """
    count = (share * (~special).sum(1, keepdim=True)).round()
    order = torch.rand(ids.shape).masked_fill(special, 2.0).argsort(1).argsort(1)
    chosen = (order < count) & ~special
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size))
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__random_everywhere(ids, special, vocab_size, mask_id, share=0.15):
    """Random ids are put at positions that were not chosen, too. Look at what limits the second draw.

    fr: Des identifiants au hasard sont mis aussi à des positions qui ne sont pas choisies. Regardez ce qui
    limite le second tirage.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    anywhere = (torch.rand(ids.shape) < 0.1) & (labels == IGNORED) & ~special
    return torch.where(anywhere, draw_ids(ids, vocab_size), inputs), labels


def mask_tokens__never_id_0(ids, special, vocab_size, mask_id, share=0.15):
    """The random ids begin at 1: id 0 is never drawn.

    fr: Les identifiants au hasard commencent à 1 : l'identifiant 0 n'est jamais tiré.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, 1 + draw_ids(ids, vocab_size - 1))
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__never_the_last_id(ids, special, vocab_size, mask_id, share=0.15):
    """The last id is never drawn: the upper bound of randint is not drawn itself.

    fr: Le dernier identifiant n'est jamais tiré : la borne supérieure de randint n'est pas tirée elle-même.
    """
    chosen = choose(ids, special, share)
    inputs = replace(ids, chosen, mask_id, draw_ids(ids, vocab_size - 1))
    return inputs, ids.masked_fill(~chosen, IGNORED)


def mask_tokens__one_random_id(ids, special, vocab_size, mask_id, share=0.15):
    """All random ids of a call are the same one. Each position should draw its own.

    fr: Tous les identifiants au hasard d'un appel sont le même. Chaque position devrait tirer le sien.
    """
    chosen = choose(ids, special, share)
    other = (mask_id + 1 + torch.randint(vocab_size - 1, (1,)).expand(ids.shape)) % vocab_size
    return replace(ids, chosen, mask_id, other), ids.masked_fill(~chosen, IGNORED)


def mask_tokens__last_id_as_mask(ids, special, vocab_size, mask_id, share=0.15):
    """The last id of the vocabulary is taken for [MASK]. Where does mask_id go?

    fr: Le dernier identifiant du vocabulaire est pris pour [MASK]. Où va mask_id ?
    """
    return mask_tokens(ids, special, vocab_size, vocab_size - 1, share)


def mask_tokens__always_the_same(ids, special, vocab_size, mask_id, share=0.15):
    """A seed is set inside: every call hides the same positions. The seed is the caller's to set.

    fr: Une graine est fixée à l'intérieur : chaque appel cache les mêmes positions. C'est à l'appelant de
    fixer la graine.
    """
    torch.manual_seed(0)
    return mask_tokens(ids, special, vocab_size, mask_id, share)


def mask_tokens__another_generator(ids, special, vocab_size, mask_id, share=0.15):
    """Chance comes from another generator than PyTorch's, as those of random and NumPy: torch.manual_seed
    does not set it.

    fr: Le hasard vient d'un autre générateur que celui de PyTorch, comme ceux de random et de NumPy :
    torch.manual_seed ne le règle pas.
    """
    state = torch.get_rng_state()
    torch.seed()
    answer = mask_tokens(ids, special, vocab_size, mask_id, share)
    torch.set_rng_state(state)
    return answer


def mask_tokens__swapped(ids, special, vocab_size, mask_id, share=0.15):
    """The labels come first; the pair is (inputs, labels).

    fr: Les labels viennent en premier ; la paire est (inputs, labels).
    """
    return mask_tokens(ids, special, vocab_size, mask_id, share)[::-1]


def mask_tokens__changes_the_ids(ids, special, vocab_size, mask_id, share=0.15):
    """The caller's ids are changed: the text is lost. Work on a copy.

    fr: Les identifiants de l'appelant sont modifiés : le texte est perdu. Travaillez sur une copie.
    """
    inputs, labels = mask_tokens(ids, special, vocab_size, mask_id, share)
    ids.copy_(inputs)
    return inputs, labels
