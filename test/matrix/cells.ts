import { cases } from './cases/index.ts'
import type { Cell } from './cell.ts'
import { accountDialects, dialects } from './dialects.ts'

/** Every case of every client on every account, as JSON and as a stream. */
export const cells: readonly Cell[] = dialects.flatMap((client) =>
  cases.flatMap((row) =>
    accountDialects.flatMap((account) =>
      [false, true].map((stream) => ({ client, case: row, account, stream })),
    ),
  ),
)

/** `image: chat on messages, stream`. */
export function nameOf({ case: row, client, account, stream }: Cell): string {
  return `${row.name}: ${client} on ${account}, ${stream ? 'stream' : 'JSON'}`
}
