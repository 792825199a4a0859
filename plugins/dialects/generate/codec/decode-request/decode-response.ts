import { wrong } from '../../../../../src/kit/checks.ts'
import type {
  FilePart,
  ImagePart,
  TextPart,
  ToolResult,
} from '../../../../../src/generate/content.ts'
import { checkDepth } from '../../../../../src/kit/codec/read.ts'
import { readFile, readInline } from './decode-media.ts'
import type { RequestNotes, Rules } from './notes.ts'
import type { OpenCalls } from './open-calls.ts'
import { responsePartRules } from './part-rules.ts'
import { isObject } from '../../../../../src/lib/json/object.ts'
import type { RequestObject } from './request-object.ts'

const rules: Rules = {
  id: false,
  name: false,
  response: false,
  parts: false,
  scheduling: false,
  willContinue: ['native', 'other dialects have no partial results'],
}

/** Reads a `functionResponse` as the result of its call. */
export function readResponse(
  object: RequestObject,
  calls: OpenCalls,
  notes: RequestNotes,
): ToolResult {
  const response = object.value('response')
  if (response !== undefined && !isObject(response)) {
    throw wrong(object.pathOf('response'), 'an object')
  }
  checkDepth(response, object.pathOf('response'))
  notes.noteOthers(object, rules)
  noteScheduling(object, notes)
  const { id, name } = calls.match(object.text('id'), object.text('name'), object)
  const { text, failed } = readOutput(response ?? {}, object.text('name'))
  if (failed) notes.uses('tool_result_failed', `${object.pathOf('response')}.error`)
  const media = readMedia(object, notes)
  const texts: TextPart[] = text === '' && media.length > 0 ? [] : [{ type: 'text', text }]
  return { callId: id, name, content: [...texts, ...media], ...(failed && { failed }) }
}

/** Notes a loss for every value but the default `WHEN_IDLE`, which is how other dialects behave. */
function noteScheduling(object: RequestObject, notes: RequestNotes): void {
  const word = object.text('scheduling')?.toUpperCase() ?? 'WHEN_IDLE'
  if (word === 'WHEN_IDLE' || word === 'SCHEDULING_UNSPECIFIED') return
  notes.noteLoss(object.pathOf('scheduling'), ['warn', 'other dialects use results at once'])
}

/**
 * Returns the text of a response. Google wraps a result that is not an object in `{output}` or `{error}`;
 * the AI SDK wraps it in `{name, content}` or `{name, error}`.
 */
function readOutput(
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

function readMedia(object: RequestObject, notes: RequestNotes): (ImagePart | FilePart)[] {
  return object.objects('parts').flatMap((part) => {
    notes.uses('tool_result_media', object.pathOf('parts'))
    notes.noteOthers(part, responsePartRules)
    const inline = part.object('inlineData')
    const file = part.object('fileData')
    const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
    if (media?.type !== 'audio') return media ? [media] : []
    notes.noteLoss(part.path, [
      'warn',
      'other dialects support only text, images and files from tools',
    ])
    return []
  })
}
