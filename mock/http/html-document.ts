/** The frame of every page of the mock. */

/** `head` and `body` are HTML; `title` must need no escaping. */
export const htmlDocument = ({ title, head, body }: { title: string; head: string; body: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
