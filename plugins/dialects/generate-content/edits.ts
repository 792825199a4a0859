import type { RequestBody } from '../../../src/body.ts'
import type { JsonObject } from '../../../src/codec.ts'
import type { ByteEdit, ByteRange } from '../../../src/exchange.ts'
import { removeMember } from '../../../src/json-edit.ts'
import { editElements, type Verdict } from '../../../src/json-list.ts'
import { findMember } from '../../../src/json-scan.ts'
import { fatesOfParts, type PartFate } from './part-fates.ts'
import { mayHoldTokens } from './codec/signatures.ts'

/** What stands where nothing else would be left. */
const silence = '{"role":"user","parts":[{"text":" "}]}'

/**
 * What a native request gets whose history was made by accounts of other dialects: signatures of
 * those are taken out, and the calls that need one are told to be let pass. The contents are walked
 * only where a plain byte search says that there may be some. `wrapper`: the member in which the
 * request stands, where it is not the body itself.
 */
export function generateEdits({ bytes, json, members }: RequestBody, wrapper?: string): ByteEdit[] {
  if (!mayHoldTokens(bytes)) return []
  const inside = wrapper === undefined ? undefined : members.get(wrapper)
  const request = wrapper === undefined ? json : (json[wrapper] as JsonObject)
  const list = inside ? findMember(bytes, inside.start, 'contents') : members.get('contents')
  const contents: unknown = request.contents
  if (!list || !Array.isArray(contents)) return []
  const fates = fatesOfParts(contents as readonly JsonObject[])
  return editElements(
    bytes,
    list,
    (content, index) => judgeContent(bytes, content, fates[index] ?? []),
    silence,
  )
}

function judgeContent(bytes: Buffer, content: ByteRange, fates: readonly PartFate[]): Verdict {
  if (fates.every((fate) => fate === 'stays')) return []
  if (fates.every((fate) => fate === 'goes')) return 'remove'
  const parts = findMember(bytes, content.start, 'parts')
  if (!parts) return []
  return editElements(bytes, parts, (part, index) => judgePart(bytes, part, fates[index]))
}

function judgePart(bytes: Buffer, part: ByteRange, fate: PartFate = 'stays'): Verdict {
  if (fate === 'goes') return 'remove'
  if (fate === 'stays') return []
  const { field, value } = fate
  if (value === undefined) return removeMember(bytes, part, field)
  const token = findMember(bytes, part.start, field)
  if (token) return [{ ...token, text: JSON.stringify(value) }]
  return [insertFirst(part, field, value)]
}

/** The part has a member already, or it would not be one. */
function insertFirst({ start }: ByteRange, field: string, value: string): ByteEdit {
  return {
    start: start + 1,
    end: start + 1,
    text: `${JSON.stringify(field)}:${JSON.stringify(value)},`,
  }
}
