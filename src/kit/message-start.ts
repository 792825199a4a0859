/** Providers name the subject of an error within as many characters. Behind them are texts that it quotes. */
const readLength = 16 * 1024

/**
 * The beginning of an error's message, which patterns may search. An account's message is as long as its reply may
 * be, and a search through many millions of characters holds up every other call.
 */
export function startOfMessage(message: string): string {
  return message.slice(0, readLength)
}
