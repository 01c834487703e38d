/** The shapes of the data that all systems have. */

/** The amounts of data. */
export interface Sizes {
  readonly books: number;
  readonly readers: number;
  readonly likes: number;
}

export interface DataBook {
  /** The ISBN-13. Books without one are not requested. */
  readonly isbn: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly genres: readonly string[];
  readonly publishedYear: number | null;
  readonly averageRating: number | null;
}

export interface DataReader {
  readonly userId: string;
  readonly fullName: string;
  readonly token: string;
}

/** A reader and a book that they like, as indexes in the lists of both. */
export interface DataLike {
  readonly reader: number;
  readonly book: number;
  readonly likedAt: Date;
}

/** A reader and a book that they viewed, as indexes in the lists of both. */
export interface DataView {
  readonly reader: number;
  readonly book: number;
  readonly viewedAt: Date;
}

/** A reader and a book that they are reading, as indexes in the lists of both. */
export interface DataReading {
  readonly reader: number;
  readonly book: number;
  /** The progress in percent. */
  readonly progress: number;
  readonly since: Date;
}

export interface Data {
  readonly books: readonly DataBook[];
  readonly readers: readonly DataReader[];
  readonly registeredAt: Date;
  readonly likes: readonly DataLike[];
  readonly views: readonly DataView[];
  readonly reading: readonly DataReading[];
  /** @param bookId the id that clients see */
  readonly isLiked: (reader: number, bookId: string) => boolean;
}
