import type { Loss } from '../contract/call.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Understood } from '../contract/exchange.ts'
import type { GenerateRequest } from '../generate/request.ts'
import type { Extra, LossPolicy } from '../generate/unsupported.ts'
import { ownAt } from '../lib/json/same.ts'
import { contentOf } from './dialect-request.ts'
import { TextSet } from '../lib/text-map.ts'

/** The fields of the client's body that its changed body does not have any more. */
export function lostExtras(before: GenerateRequest, after: GenerateRequest): Extra[] {
  const kept = new Set(after.extras.map(({ field }) => withoutIndexes(field)))
  return before.extras.filter(
    ({ field, treatment }) => treatment !== 'silent' && !kept.has(withoutIndexes(field)),
  )
}

/** A change moves elements of lists. */
function withoutIndexes(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '[]')
}

/** The members of a plugin's request that the client's dialect has no field for. */
export function unwritten(wanted: GenerateRequest, written: GenerateRequest): Loss[] {
  const { turns: _, tools, sampling, ...members } = contentOf(wanted)
  const other = contentOf(written)
  const names = new TextSet(other.tools.map(({ name }) => name))
  return [
    ...missing(members, other, ''),
    ...missing(sampling, other.sampling, 'sampling.'),
    ...tools
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => unwrittenLoss(`tools.${name}`)),
  ]
}

function missing(wanted: object, written: object, path: string): Loss[] {
  const has = (name: string) => ownAt(written, name) !== undefined
  return Object.entries(wanted)
    .filter(([name, value]) => value !== undefined && !has(name))
    .map(([name]) => unwrittenLoss(path + name))
}

function unwrittenLoss(field: string): Loss {
  return { field, reason: "a plugin set it, and the client's dialect has no such field" }
}

/** Throws `GatewayError` 400 for losses that the caller's policy or their nature forbids. */
export function assertAcceptable(
  losses: readonly (Loss & Partial<Pick<Extra, 'treatment'>>)[],
  { caller }: Understood,
  policy: LossPolicy,
): void {
  const isStrict = (caller.losses ?? policy) !== 'drop'
  const refused = losses.find(({ treatment }) => isStrict || treatment === 'native')
  if (!refused) return
  const { field } = refused
  const message = `\`${field}\`: a plugin of the gateway changes the request, which then cannot have this field; leave it out.`
  throw new GatewayError('invalid_value', message, { param: field })
}
