import {
  defined,
  type GenerateRequest,
  type JsonObject,
  Notes,
  numberAt,
  type RawRequest,
} from '../../../../../src/dialect-kit/index.ts'
import { decodeChoice, decodeHelpers } from './decode-helpers.ts'
import { decodeLines } from './decode-lines.ts'

const known = new Set(['voice', 'words', 'loud', 'pitch', 'limit', 'helpers', 'call'])

/** A client's request. `understandWords` checked the members that both read. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const notes = new Notes()
  const turns = decodeLines(body.words, notes)
  const tools = decodeHelpers(body.helpers, notes)
  const toolChoice = decodeChoice(body.call, notes)
  const temperature = numberAt(body, 'pitch')
  const maxOutputTokens = numberAt(body, 'limit')
  if (temperature !== undefined) notes.sets('temperature', 'pitch')
  if (maxOutputTokens !== undefined) notes.sets('max_output_tokens', 'limit')
  noteUnknown(body, notes)
  return {
    stream,
    turns,
    tools,
    sampling: defined({ temperature }),
    ...defined({ toolChoice, maxOutputTokens }),
    fields: notes.fields,
    settings: notes.settings,
    extras: notes.extras,
  }
}

/** A native account may know more members than the codec. */
function noteUnknown(body: JsonObject, notes: Notes): void {
  for (const name of Object.keys(body)) {
    if (!known.has(name)) notes.unknown(known, name, name, 'only the Shout API may know it')
  }
}
