import type { ReadingStatus } from '../graphql/generated/schema-types.ts';
import { folded } from '../text/folding.ts';

/** The names of shelves that mean a status, in the languages of readers and spreadsheets. */

const NAMES: Readonly<Record<ReadingStatus, readonly string[]>> = {
  WANT_TO_READ: [
    ...['to read', 'want to read', 'wishlist'],
    ...['möchte ich lesen', 'ich möchte lesen', 'will ich lesen', 'zu lesen', 'noch zu lesen', 'wunschliste'],
    ...['à lire', 'je veux lire', 'envie de lire', 'souhaite lire', 'liste de souhaits'],
    ...['quiero leer', 'por leer', 'para leer', 'pendiente', 'pendientes', 'lista de deseos'],
    ...['da leggere', 'voglio leggere', 'lista dei desideri'],
    ...['quero ler', 'para ler', 'por ler', 'lista de desejos'],
    ...['te lezen', 'nog te lezen', 'wil ik lezen', 'wil lezen', 'verlanglijst'],
  ],
  READING: [
    ...['currently reading', 'reading', 'paused'],
    ...['lese ich gerade', 'ich lese gerade', 'lese gerade', 'lese ich', 'am lesen', 'gerade am lesen', 'wird gelesen'],
    ...['en cours', 'en cours de lecture', 'lecture en cours', 'en train de lire', 'je lis'],
    ...['leyendo', 'leyendo actualmente', 'actualmente leyendo', 'estoy leyendo'],
    ...['in lettura', 'sto leggendo', 'leggendo'],
    ...['lendo', 'lendo atualmente', 'estou lendo', 'estou a ler', 'a ler atualmente'],
    ...['aan het lezen', 'nu aan het lezen', 'momenteel aan het lezen', 'ben ik aan het lezen'],
  ],
  READ: [
    ...['read', 'read but unowned'],
    ...['gelesen', 'habe ich gelesen', 'ausgelesen', 'fertig gelesen'],
    ...['lu', 'lue', 'lus', "j'ai lu", 'déjà lu', 'livres lus'],
    ...['leído', 'leída', 'leídos', 'leídas', 'ya leído'],
    ...['letto', 'letti', 'già letto', 'già letti'],
    ...['lido', 'lidos', 'já lido', 'já lidos', 'já li'],
    ...['uitgelezen', 'heb ik gelezen', 'gelezen'],
  ],
  GIVEN_UP: [
    ...['did not finish', 'dnf', 'stopped', 'stopped reading'],
    ...['abgebrochen', 'aufgegeben', 'nicht beendet', 'nicht zu ende gelesen', 'nicht fertig gelesen'],
    ...['abandonné', 'abandonnée', 'abandonnés', 'pas terminé', 'pas fini', 'non terminé'],
    ...['abandonado', 'abandonada', 'abandonados', 'no terminado', 'sin terminar'],
    ...['abbandonato', 'abbandonati', 'non finito', 'non terminato'],
    ...['abandonei', 'não terminado', 'não terminei', 'desisti'],
    ...['niet uitgelezen', 'afgebroken', 'opgegeven', 'gestopt'],
  ],
};

/** Returns the form in which names of shelves are compared. */
const keyOf = (name: string): string =>
  folded(name)
    .replaceAll(/[-_\s]+/gu, ' ')
    .trim();

const STATUSES: ReadonlyMap<string, ReadingStatus> = new Map(
  Object.entries(NAMES).flatMap(([status, names]) =>
    names.map((name) => [keyOf(name), status as ReadingStatus] as const),
  ),
);

/** The maximum length of a name that means a status, in UTF-16 units. */
const LENGTH_MAX = 100;

/** Returns the status that the name of a shelf means; null for a shelf of the reader's own. */
export const statusForShelf = (shelf: string): ReadingStatus | null =>
  shelf.length > LENGTH_MAX ? null : (STATUSES.get(keyOf(shelf)) ?? null);
