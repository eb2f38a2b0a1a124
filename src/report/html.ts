/**
 * The file of a report: one HTML page that contains its styles, its program and its data, and makes no requests.
 *
 * The policy in its head forbids requests, so that a browser refuses those that a later change might add.
 */

/** Parts of the page. */
interface PageParts {
  readonly title: string
  readonly style: string
  readonly script: string
  /** The packed data as gzip. */
  readonly data: Uint8Array
}

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "script-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Returns the text of the page. */
export function pageText({ title, style, script, data }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${style.replaceAll('</style', '<\\/style')}
</style>
</head>
<body>
<noscript><p>This report draws its charts with the script that it carries; this browser runs none.</p></noscript>
<div id="report"></div>
<script type="application/octet-stream" id="data">${base64(data)}</script>
<script>
${script.replaceAll('</script', '<\\/script')}
</script>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function base64(bytes: Uint8Array): string {
  const CHUNK = 3 * 8_192
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK))))
  }
  return parts.join('')
}
