import { wrong } from '../../../../../src/kit/checks.ts'
import type {
  FilePart,
  ImagePart,
  TextPart,
  ToolResult,
} from '../../../../../src/generate/content.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { readFile, readInline } from './decode-media.ts'
import type { PlaceNotes, Rules } from './notes.ts'
import type { OpenCalls } from './open-calls.ts'
import { responsePartRules } from './part-rules.ts'
import { isObject } from '../../../../../src/lib/json/object.ts'
import type { FieldPlace } from './field-place.ts'

const rules: Rules = {
  id: false,
  name: false,
  response: false,
  parts: false,
  scheduling: ['silent', 'results are taken up at once elsewhere'],
  willContinue: ['native', 'a result comes in one piece elsewhere'],
}

/** `functionResponse`: what a tool said, matched to its call. */
export function readResponse(place: FieldPlace, calls: OpenCalls, notes: PlaceNotes): ToolResult {
  const response = place.value('response')
  if (response !== undefined && !isObject(response)) {
    throw wrong(place.nameOf('response'), 'an object')
  }
  checkDepth(response, place.nameOf('response'))
  notes.others(place, rules)
  const { id, name } = calls.answer(place.text('id'), place.text('name'), place)
  const { text, failed } = told(response ?? {}, place.text('name'))
  if (failed) notes.uses('tool_result_failed', `${place.nameOf('response')}.error`)
  const media = readMedia(place, notes)
  const said: TextPart[] = text === '' && media.length > 0 ? [] : [{ type: 'text', text }]
  return { callId: id, name, content: [...said, ...media], ...(failed && { failed }) }
}

/**
 * `{output}` and `{error}` are Google's own words for a result that is no object by itself; the AI
 * SDK says `{name, content}` and `{name, error}`.
 */
function told(
  response: Record<string, unknown>,
  tool: string | undefined,
): { text: string; failed: boolean } {
  const { name, ...rest } = response
  const isNamed = name !== undefined && name === tool
  const [key, ...others] = Object.keys(isNamed ? rest : response)
  if (key === undefined) return { text: isNamed ? JSON.stringify(response) : '', failed: false }
  const isAlone = others.length === 0
  if (isAlone && key === 'error') return { text: asText(response.error), failed: true }
  if (isAlone && key === (isNamed ? 'content' : 'output')) {
    return { text: asText(response[key]), failed: false }
  }
  return { text: JSON.stringify(response), failed: false }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readMedia(place: FieldPlace, notes: PlaceNotes): (ImagePart | FilePart)[] {
  return place.objects('parts').flatMap((part) => {
    notes.uses('tool_result_media', place.nameOf('parts'))
    notes.others(part, responsePartRules)
    const inline = part.object('inlineData')
    const file = part.object('fileData')
    const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
    if (media?.type !== 'audio') return media ? [media] : []
    notes.lost(part.path, ['warn', 'tools answer with texts, pictures and files elsewhere'])
    return []
  })
}
