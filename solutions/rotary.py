"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import math

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = (
    "neighbours_as_pairs",
    "turned_backwards",
    "exponent_by_the_width",
    "same_angle_for_all_columns",
    "positions_along_the_heads",
)
SMALL = (
    "base_ignored",
    "detached",
    "changes_its_input",
    "views_its_argument",
    "half_precision",
    "table_of_64_positions",
)


def rotary(x, base=10000.0, offset=0):
    return turn(x, angles_of(x, base, offset))


def speeds(width, base, dtype):
    """base^(-2i/D) for each pair of columns: (D / 2,)."""
    return base ** (-torch.arange(0, width, 2, dtype=dtype) / width)


def positions_of(x, offset):
    return offset + torch.arange(x.shape[2], dtype=x.dtype)


def angles_of(x, base, offset):
    """(S, D / 2)."""
    return positions_of(x, offset)[:, None] * speeds(x.shape[-1], base, x.dtype)


def turn(x, angles):
    """Halves turned by angles that broadcast to (B, H, S, D / 2)."""
    first, second = x.chunk(2, -1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def turn_neighbours(x, angles):
    first, second = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([first * cos - second * sin, second * cos + first * sin], -1).flatten(-2)


def rotate_half(x):
    first, second = x.chunk(2, -1)
    return torch.cat([-second, first], -1)


def rotary__neighbours_as_pairs(x, base=10000.0, offset=0):
    """Neighbouring columns are turned together, as Llama's own code does with complex numbers. Here column i
    goes with column i + D/2: look at which two columns you take.

    fr: Ce sont des colonnes voisines qui tournent ensemble, comme dans le code de Llama, avec des nombres
    complexes. Ici, la colonne i va avec la colonne i + D/2 : regardez quelles colonnes vous prenez.
    """
    return turn_neighbours(x, angles_of(x, base, offset))


def rotary__halves_with_angles_of_neighbours(x, base=10000.0, offset=0):
    """The halves are turned, but with angles in the order of neighbours: each angle stands twice in a row.
    The two columns of a pair need the same angle; look at how the table becomes D columns wide.

    fr: Les moitiés tournent, mais avec des angles rangés pour des voisines : chaque angle figure deux fois de
    suite. Les deux colonnes d'une paire ont besoin du même angle ; regardez comment la table passe à D
    colonnes.
    """
    angles = angles_of(x, base, offset).repeat_interleave(2, -1)
    return x * angles.cos() + rotate_half(x) * angles.sin()


def rotary__neighbours_with_angles_of_halves(x, base=10000.0, offset=0):
    """Neighbouring columns are exchanged, but the angles are in the order of halves. Two conventions are
    mixed: take the halves in both.

    fr: Ce sont les colonnes voisines qui sont échangées, mais les angles sont rangés pour les moitiés. Deux
    conventions sont mélangées : prenez les moitiés dans les deux.
    """
    angles = torch.cat([angles_of(x, base, offset)] * 2, -1)
    swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)
    return x * angles.cos() + swapped * angles.sin()


def rotary__neighbours_joined_as_halves(x, base=10000.0, offset=0):
    """Neighbouring columns are turned together, and the answers stand as halves: first those of all even
    columns, then those of the odd ones. Two conventions are mixed: take the halves in both.

    fr: Ce sont des colonnes voisines qui tournent ensemble, et les réponses sont rangées en moitiés : d'abord
    celles des colonnes paires, puis celles des impaires. Deux conventions sont mélangées : prenez les moitiés
    dans les deux.
    """
    turned = turn_neighbours(x, angles_of(x, base, offset))
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], -1)


def rotary__halves_joined_as_neighbours(x, base=10000.0, offset=0):
    """The halves are turned together, and the two answers of each pair stand side by side. Each half's answer
    belongs to the place of that half: look at how the two are joined.

    fr: Les moitiés tournent ensemble, et les deux réponses de chaque paire sont rangées côte à côte. La
    réponse de chaque moitié va à la place de cette moitié : regardez comment les deux sont réunies.
    """
    return torch.stack(turn(x, angles_of(x, base, offset)).chunk(2, -1), -1).flatten(-2)


def rotary__turned_backwards(x, base=10000.0, offset=0):
    """The sine has the other sign: everything turns backwards. Which half gets the minus?

    fr: Le sinus a l'autre signe : tout tourne à l'envers. Quelle moitié reçoit le moins ?
    """
    return turn(x, -angles_of(x, base, offset))


def rotary__without_minus(x, base=10000.0, offset=0):
    """Both halves get the sine with a plus: that is no rotation, and lengths change. One of the two terms has
    a minus.

    fr: Les deux moitiés reçoivent le sinus avec un plus : ce n'est pas une rotation, et les longueurs
    changent. L'un des deux termes a un moins.
    """
    angles = torch.cat([angles_of(x, base, offset)] * 2, -1)
    return x * angles.cos() + x.roll(x.shape[-1] // 2, -1) * angles.sin()


def rotary__sine_and_cosine_exchanged(x, base=10000.0, offset=0):
    """The sine stands where the cosine belongs, and the other way round: position 0 does not stay as it is.

    fr: Le sinus est à la place du cosinus, et inversement : la position 0 ne reste pas telle quelle.
    """
    return turn(x, math.pi / 2 - angles_of(x, base, offset))


def rotary__exponent_by_the_width(x, base=10000.0, offset=0):
    """The exponent is i/D and not 2i/D: the angles fall half as fast. Look at what i counts: pairs, or
    columns in steps of two.

    fr: L'exposant est i/D et non 2i/D : les angles diminuent deux fois moins vite. Regardez ce que compte i :
    des paires, ou des colonnes de deux en deux.
    """
    return turn(x, angles_of(x, math.sqrt(base), offset))


def rotary__exponent_by_half_the_width(x, base=10000.0, offset=0):
    """The exponent is divided by D/2 where it should be divided by D: the angles fall twice as fast.

    fr: L'exposant est divisé par D/2 au lieu de D : les angles diminuent deux fois trop vite.
    """
    return turn(x, angles_of(x, base**2, offset))


def rotary__exponent_positive(x, base=10000.0, offset=0):
    """The exponent has no minus: the angles grow from column to column. Look at whether you divide by the
    power of base.

    fr: L'exposant n'a pas de moins : les angles croissent d'une colonne à l'autre. Regardez si vous divisez
    par la puissance de base.
    """
    return turn(x, angles_of(x, 1 / base, offset))


def rotary__columns_from_1(x, base=10000.0, offset=0):
    """The columns are counted from 1: the first pair should turn by the position itself.

    fr: Les colonnes sont comptées à partir de 1 : la première paire doit tourner de la position elle-même.
    """
    return turn(x, angles_of(x, base, offset) * base ** (-2 / x.shape[-1]))


def rotary__same_angle_for_all_columns(x, base=10000.0, offset=0):
    """All columns are turned by the same angle, the position. Where does base come in?

    fr: Toutes les colonnes tournent du même angle, la position. Où intervient base ?
    """
    return turn(x, positions_of(x, offset)[:, None])


def rotary__positions_from_1(x, base=10000.0, offset=0):
    """Positions are counted from 1: the first one should stay as it is where offset is 0.

    fr: Les positions sont comptées à partir de 1 : la première doit rester telle quelle quand offset vaut 0.
    """
    return rotary(x, base, offset + 1)


def rotary__positions_along_the_heads(x, base=10000.0, offset=0):
    """Positions are counted along the heads, as for (B, S, H, D). Here they lie on the third axis.

    fr: Les positions sont comptées le long des têtes, comme pour (B, S, H, D). Ici, elles sont sur le
    troisième axe.
    """
    return rotary(x.transpose(1, 2), base, offset).transpose(1, 2)


def rotary__positions_along_the_batch(x, base=10000.0, offset=0):
    """Positions are counted along the batch. They lie on the third axis.

    fr: Les positions sont comptées le long du lot. Elles sont sur le troisième axe.
    """
    return rotary(x.transpose(0, 2), base, offset).transpose(0, 2)


def rotary__positions_through_all_heads(x, base=10000.0, offset=0):
    """Positions are counted on from one head to the next: each head begins anew at offset.

    fr: Les positions sont comptées d'une tête à la suivante : chaque tête recommence à offset.
    """
    batch, heads, length, width = x.shape
    whole = x.reshape(batch, 1, heads * length, width)
    return rotary(whole, base, offset).reshape(x.shape)


def rotary__in_degrees(x, base=10000.0, offset=0):
    """The angles are converted to or from degrees. cos and sin take radians, and the angle is one already.

    fr: Les angles sont convertis en degrés ou depuis des degrés. cos et sin prennent des radians, et l'angle
    en est déjà.
    """
    return turn(x, angles_of(x, base, offset) * math.pi / 180)


def rotary__offset_ignored(x, base=10000.0, offset=0):
    """The offset has no effect: every call begins at position 0. What is the position of the first entry?

    fr: offset n'a aucun effet : chaque appel commence à la position 0. Quelle est la position de la première
    entrée ?
    """
    return rotary(x, base)


def rotary__offset_subtracted(x, base=10000.0, offset=0):
    """The offset is subtracted from the positions; it is added.

    fr: offset est soustrait des positions ; il s'ajoute.
    """
    return rotary(x, base, -offset)


def rotary__every_entry_at_the_offset(x, base=10000.0, offset=0):
    """With an offset, all entries have the position of the first one. Each is one further than the one
    before.

    fr: Avec un offset, toutes les entrées ont la position de la première. Chacune est un cran plus loin que
    la précédente.
    """
    if not offset:
        return rotary(x, base)
    angles = torch.tensor(float(offset), dtype=x.dtype) * speeds(x.shape[-1], base, x.dtype)
    return turn(x, angles)


def rotary__base_ignored(x, base=10000.0, offset=0):
    """The base is always 10000, whatever is asked for. Which number in the code should be an argument?

    fr: La base vaut toujours 10000, quoi qu'on demande. Quel nombre du code devrait être un argument ?
    """
    return rotary(x, offset=offset)


def rotary__without_sine(x, base=10000.0, offset=0):
    """The columns are multiplied by the cosine alone: nothing is turned, and lengths change.

    fr: Les colonnes sont seulement multipliées par le cosinus : rien ne tourne, et les longueurs changent.
    """
    return x * torch.cat([angles_of(x, base, offset).cos()] * 2, -1)


def rotary__table_added(x, base=10000.0, offset=0):
    """Sines and cosines are added to x, as in a table of positions. Here x is turned by them.

    fr: Des sinus et des cosinus sont ajoutés à x, comme dans une table de positions. Ici, ils font tourner x.
    """
    angles = angles_of(x, base, offset)
    return x + torch.cat([angles.sin(), angles.cos()], -1)


def rotary__second_half_left(x, base=10000.0, offset=0):
    """Only the first half of the columns is turned, and the rest left as it is. All D columns turn.

    fr: Seule la première moitié des colonnes tourne, et le reste est laissé tel quel. Les D colonnes tournent
    toutes.
    """
    half = x.shape[-1] // 2
    first = torch.cat([x[..., :half], torch.zeros_like(x[..., half:])], -1)
    turned = rotary(first, base, offset)
    return torch.cat([turned[..., :half], x[..., half:]], -1)


def rotary__half_precision(x, base=10000.0, offset=0):
    """Sines and cosines are kept in half precision, which rounds to two or three digits. float32 is fine.

    fr: Sinus et cosinus sont gardés en demi-précision, qui arrondit à deux ou trois chiffres. float32
    convient.
    """
    first, second = x.chunk(2, -1)
    angles = angles_of(x, base, offset)
    cos, sin = (table.bfloat16().to(x.dtype) for table in (angles.cos(), angles.sin()))
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


def rotary__table_of_64_positions(x, base=10000.0, offset=0):
    """The table of angles ends after 64 positions. Which number in the code should follow the input?

    fr: La table des angles s'arrête à 64 positions. Quel nombre du code devrait suivre l'entrée ?
    """
    table = torch.arange(64, dtype=x.dtype)[:, None] * speeds(x.shape[-1], base, x.dtype)
    return turn(x, table[offset : offset + x.shape[2]])


def rotary__with_table(x, base=10000.0, offset=0):
    """The angles come back beside the output, which alone is asked for.

    fr: Les angles sont renvoyés à côté de la sortie, seule demandée.
    """
    return rotary(x, base, offset), angles_of(x, base, offset)


def rotary__views_its_argument(x, base=10000.0, offset=0):
    """view is asked of x. Heads come from a transpose and lie in memory in another order. Look at what the
    error message proposes.

    fr: view est appelé sur x. Les têtes viennent d'un transpose et sont rangées autrement en mémoire.
    Regardez ce que propose le message d'erreur.
    """
    return rotary(x.view(-1, *x.shape[2:]).view(x.shape), base, offset)


def rotary__detached(x, base=10000.0, offset=0):
    """No gradient comes back to x. Look for detach, no_grad or data.

    fr: Aucun gradient ne revient à x. Cherchez detach, no_grad ou data.
    """
    return rotary(x.detach(), base, offset)


def rotary__changes_its_input(x, base=10000.0, offset=0):
    """The caller's x is changed: something is computed in place, such as x[..., :half] = ...

    fr: Le x de l'appelant est modifié : un calcul se fait en place, comme x[..., :half] = ...
    """
    output = rotary(x, base, offset)
    x.data.copy_(output)
    return output
