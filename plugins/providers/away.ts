/** Names and codes of connections that fail, of Node and of the libraries of clouds. */
const networkCodes =
  /^(?:ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOST|ENET|UND_ERR_|TimeoutError|request-timeout)/

/** Whether a library has failed because nothing answers it. */
export function isAwayError(error: unknown): boolean {
  for (let one = error, levels = 0; one !== undefined && levels < 4; levels++) {
    const { name, code, type, cause } = Object(one) as Readonly<Record<string, unknown>>
    if ([name, code, type].some((word) => networkCodes.test(String(word)))) return true
    one = cause
  }
  return false
}
