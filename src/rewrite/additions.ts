import type { RequestBody } from '../contract/body.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { JsonObject } from '../lib/json/object.ts'
import { isSameJson } from '../lib/json/same.ts'
import { contentOf } from './dialect-request.ts'

/** Reads a body; `undefined` if the codec does not accept it. */
type Decode = (body: Pick<RequestBody, 'json'>) => GenerateRequest | undefined

/**
 * The members that a codec adds for the sake of accounts, such as `store: false`: the client's body
 * lacks them, and `request` is the request that the codec reads without them.
 */
export function additionsOf(
  written: JsonObject,
  client: JsonObject,
  request: GenerateRequest,
  decode: Decode,
): ReadonlySet<string> {
  const added = Object.keys(written).filter((name) => !Object.hasOwn(client, name))
  const whole = decode({ json: written })
  return new Set(
    added.filter((name) => {
      const without = decode({ json: withoutMembers(written, new Set([name])) })
      return whole && without && isNearer(without, whole, request)
    }),
  )
}

/** An object without some members. */
export function withoutMembers(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)))
}

/** Whether everything in which two requests differ is in the first one as in `wanted`. */
function isNearer(one: GenerateRequest, other: GenerateRequest, wanted: GenerateRequest): boolean {
  const others: Record<string, unknown> = contentOf(other)
  const sought: Record<string, unknown> = contentOf(wanted)
  const mine: Record<string, unknown> = contentOf(one)
  return [...new Set([...Object.keys(mine), ...Object.keys(others)])].every(
    (name) => isSameJson(mine[name], others[name]) || isSameJson(mine[name], sought[name]),
  )
}
