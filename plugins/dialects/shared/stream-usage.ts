import type { Routed } from '../../../src/contract/exchange.ts'
import { isPresent } from '../../../src/kit/checks.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import { type ByteRange, findMember } from '../../../src/lib/json/scan.ts'

const noEdits: readonly ByteEdit[] = []

const options = 'stream_options'
const wish = '"include_usage":true'
const closeBrace = 0x7d

/**
 * Whether the gateway asks the account for the usage of a stream, for the meter alone: its client has
 * not asked for it. The account sends it in a chunk of its own (docs/wire/openai.md), which the client
 * does not get.
 */
function asksForUsage({ call, body, candidate }: Routed): boolean {
  if (!call.stream || !candidate.account.asksForUsage) return false
  if (!body.members.has(options)) return true
  const given = body.json[options]
  return !isObject(given) || given.include_usage !== true
}

/** The edit of a native request that asks the account for the usage of the stream. */
export function usageEdits(exchange: Routed): readonly ByteEdit[] {
  if (!asksForUsage(exchange)) return noEdits
  const { bytes, members, json } = exchange.body
  const given = members.get(options)
  if (!given) {
    const end = bytes.lastIndexOf(closeBrace)
    return [{ start: end, end, text: `,"${options}":{${wish}}` }]
  }
  if (!isPresent(json, options)) return [{ ...given, text: `{${wish}}` }]
  return [withWish(bytes, given, json[options] as object)]
}

function withWish(bytes: Buffer, given: ByteRange, value: object): ByteEdit {
  const refused = findMember(bytes, given.start, 'include_usage')
  if (refused) return { ...refused, text: 'true' }
  const end = given.end - 1
  return { start: end, end, text: Object.keys(value).length === 0 ? wish : `,${wish}` }
}

/** Further chunks of usage reach the client: hidden chunks put no back pressure on the account. */
const mostHidden = 16

/** The chunks of usage that a client does not get, since it has not asked for them. */
export class UnaskedUsage {
  #left: number

  constructor(exchange: Routed) {
    // Large values of the body may have been released.
    this.#left = asksForUsage(exchange) ? mostHidden : 0
  }

  /** Whether the client does not get this chunk. */
  hides(json: JsonObject | undefined, choices: readonly unknown[]): boolean {
    if (this.#left === 0 || choices.length > 0 || !isObject(json?.usage)) return false
    this.#left--
    return true
  }
}
