/**
 * Headers of Google's SDKs that the Gemini API reads (docs/wire/gemini.md), besides the headers of every dialect.
 * Other `x-goog-` headers choose projects, parts of a reply or a way inside of Google.
 */
export const googleHeaders: readonly string[] = ['x-goog-api-client', 'x-server-timeout']
