CREATE TABLE client (client_no TEXT PRIMARY KEY, name TEXT, email TEXT);
CREATE TABLE article (article_no TEXT PRIMARY KEY, line TEXT, name TEXT, price_cents INTEGER);
CREATE TABLE purchase (
  purchase_no TEXT PRIMARY KEY, client_no TEXT, phase TEXT, sum_cents INTEGER, paid_with TEXT, handed_over_at TEXT
);
CREATE TABLE refunds (order_id TEXT, status TEXT, issued_at TEXT);

INSERT INTO client VALUES ('K-17', 'Ines Faber', 'ines@example.org'), ('K-18', 'Olaf Brink', 'olaf@example.org');
INSERT INTO article VALUES
  ('L-100', 'desk lamp', 'Desk lamp, black', 5900), ('L-101', 'desk lamp', 'Desk lamp, white', 5900),
  ('L-200', 'floor lamp', 'Floor lamp, oak', 18900), ('B-1', 'bulb', 'Bulb, warm white', 900);
INSERT INTO purchase VALUES
  ('P-1', 'K-17', 'open', 5900, 'card-17', NULL),
  ('P-2', 'K-17', 'handed_over', 6800, 'card-17', '2026-01-05T10:00:00+00:00'),
  ('P-3', 'K-18', 'open', 18900, 'card-18', NULL);
