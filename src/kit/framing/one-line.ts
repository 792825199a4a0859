import { checkLines } from './line-limit.ts'

/**
 * The data of an event with spaces for its line ends, which mean the same in JSON. Throws `GatewayError` for data with
 * more lines than an event may have.
 */
export function onOneLine(data: string): string {
  checkLines(data)
  return data.replaceAll('\n', ' ').replaceAll('\r', ' ')
}
