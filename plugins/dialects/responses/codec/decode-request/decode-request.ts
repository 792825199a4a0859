import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { GenerateRequest, Turn } from '../../../../../src/generate/request.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { readTurns } from './decode-items.ts'
import { readOptions } from './decode-options.ts'
import { readTools } from './decode-tools.ts'
import { noteExtras } from './extras.ts'
import { Notes } from '../../../../../src/generate/notes.ts'

/** Decodes a client's request. Throws `GatewayError` if it is invalid. */
export function decodeRequest({ body, stream, before }: RawRequest): GenerateRequest {
  const notes = new Notes()
  noteExtras(body, notes)
  const options = readOptions(body, notes)
  const tools = readTools(body, notes)
  const turns = [...readInstructions(body), ...readTurns(body.input, notes, before)]
  checkEchoed(body)
  const { fields, settings, extras } = notes
  return { stream, turns, ...options, ...tools, fields, settings, extras }
}

/** Members that the response echoes unchanged, so their depth is limited. */
const echoed = ['tools', 'tool_choice', 'text', 'reasoning', 'metadata']

function checkEchoed(body: JsonObject): void {
  for (const field of echoed) checkDepth(body[field], field)
}

function readInstructions(body: JsonObject): Turn[] {
  const text = instructionsOf(body)
  return text === undefined ? [] : [{ role: 'system', content: [{ type: 'text', text }] }]
}

/** Joins `instructions` and a string `prompt` (docs/wire/contract.md 3.1). */
export function instructionsOf({ instructions, prompt }: JsonObject): string | undefined {
  const texts = [instructions, prompt].filter((text) => typeof text === 'string' && text !== '')
  return texts.length === 0 ? undefined : texts.join('\n\n')
}
