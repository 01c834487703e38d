-- What readers like, as a PostgreSQL application keeps it: a count in each book's row, and an index for each order of likes.
CREATE TABLE books (
  isbn text PRIMARY KEY,
  title text NOT NULL,
  authors text[] NOT NULL,
  genres text[] NOT NULL,
  published_year int,
  average_rating double precision,
  like_count int NOT NULL DEFAULT 0
);

CREATE TABLE readers (
  reader_id uuid PRIMARY KEY,
  full_name text NOT NULL
);

CREATE TABLE likes (
  reader_id uuid NOT NULL REFERENCES readers,
  isbn text NOT NULL REFERENCES books,
  liked_at timestamptz(3) NOT NULL,
  PRIMARY KEY (reader_id, isbn)
);
CREATE INDEX likes_of_reader ON likes (reader_id, liked_at DESC, isbn DESC);
CREATE INDEX likes_of_book ON likes (isbn, liked_at DESC, reader_id DESC);

-- What each reader looked at lately, each book once.
CREATE TABLE views (
  reader_id uuid NOT NULL REFERENCES readers,
  isbn text NOT NULL REFERENCES books,
  viewed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (reader_id, isbn)
);
CREATE INDEX views_of_reader ON views (reader_id, viewed_at DESC, isbn);

CREATE TABLE readings (
  reader_id uuid NOT NULL REFERENCES readers,
  isbn text NOT NULL REFERENCES books,
  status text NOT NULL,
  progress int NOT NULL,
  since timestamptz(3) NOT NULL,
  PRIMARY KEY (reader_id, isbn)
);
CREATE INDEX readings_of_reader ON readings (reader_id, status, since DESC, isbn DESC);

-- What was liked most within this day (UTC) and the six before, for an application to refresh every few seconds.
CREATE MATERIALIZED VIEW trending AS
  SELECT row_number() OVER (ORDER BY count(*) DESC, isbn COLLATE "C")::int AS rank, isbn, count(*)::int AS likes
  FROM likes WHERE liked_at >= date_trunc('day', now(), 'UTC') - interval '6 days'
  GROUP BY isbn ORDER BY rank LIMIT 100;
CREATE UNIQUE INDEX trending_by_rank ON trending (rank);
COMMENT ON MATERIALIZED VIEW trending IS E'@primaryKey rank\n@foreignKey (isbn) references books (isbn)';

CREATE TABLE actions (
  reader_id uuid NOT NULL REFERENCES readers,
  at timestamptz(3) NOT NULL,
  kind text NOT NULL,
  isbn text REFERENCES books
);
CREATE INDEX actions_of_reader ON actions (reader_id, at DESC);

-- The reader whose access token came with the request. Not exposed: it takes no part in the schema of the API.
CREATE SCHEMA private;
CREATE FUNCTION private.viewer() RETURNS uuid LANGUAGE sql STABLE
  AS $$ SELECT nullif(current_setting('jwt.claims.sub', true), '')::uuid $$;

-- A request may name its reader instead, so that it needs no setting.
CREATE FUNCTION viewer(reader uuid DEFAULT private.viewer()) RETURNS readers LANGUAGE sql STABLE
  AS $$ SELECT * FROM readers WHERE reader_id = reader $$;

CREATE FUNCTION readers_history(reader readers, until timestamptz, since timestamptz DEFAULT '-infinity') RETURNS SETOF actions
  LANGUAGE sql STABLE AS $$
  SELECT * FROM actions WHERE reader_id = reader.reader_id AND at >= since AND at < until ORDER BY at DESC
$$;

CREATE FUNCTION books_viewer_has_liked(book books, reader uuid DEFAULT private.viewer()) RETURNS boolean
  LANGUAGE sql STABLE
  AS $$ SELECT EXISTS (SELECT FROM likes WHERE reader_id = reader AND isbn = book.isbn) $$;

CREATE TYPE like_change AS (changed boolean, like_count int, viewer_has_liked boolean);

CREATE FUNCTION like_book(book text, reader uuid DEFAULT private.viewer()) RETURNS like_change
  LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE change like_change;
BEGIN
  INSERT INTO likes VALUES (reader, book, clock_timestamp()) ON CONFLICT DO NOTHING;
  change.changed := FOUND;
  INSERT INTO actions SELECT reader, clock_timestamp(), 'LIKED', book WHERE change.changed;
  UPDATE books SET like_count = books.like_count + 1 WHERE isbn = book AND change.changed;
  SELECT books.like_count, true INTO change.like_count, change.viewer_has_liked FROM books WHERE isbn = book;
  RETURN change;
END $$;

CREATE FUNCTION unlike_book(book text, reader uuid DEFAULT private.viewer()) RETURNS like_change
  LANGUAGE plpgsql VOLATILE STRICT AS $$
DECLARE change like_change;
BEGIN
  DELETE FROM likes WHERE reader_id = reader AND isbn = book;
  change.changed := FOUND;
  INSERT INTO actions SELECT reader, clock_timestamp(), 'UNLIKED', book WHERE change.changed;
  UPDATE books SET like_count = books.like_count - 1 WHERE isbn = book AND change.changed;
  SELECT books.like_count, false INTO change.like_count, change.viewer_has_liked FROM books WHERE isbn = book;
  RETURN change;
END $$;
