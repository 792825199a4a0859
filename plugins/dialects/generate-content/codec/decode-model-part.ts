import { wrong } from '../../../../src/checks.ts'
import { checkDepth } from '../../../../src/codecs/depth.ts'
import type { AssistantDraft } from './assistant-draft.ts'
import { readFile, readInline } from './decode-media.ts'
import type { PlaceNotes } from './notes.ts'
import { callRules } from './part-rules.ts'
import type { OpenCalls } from './open-calls.ts'
import { isObject } from '../../../../src/generate/json-object.ts'
import type { Place } from './place.ts'
import { type PartSignature, readPartSignature } from './signatures.ts'

/** One part of what the model said before. `turn` is the position of its turn. */
export function readModelPart(
  part: Place,
  draft: AssistantDraft,
  calls: OpenCalls,
  notes: PlaceNotes,
  turn: number,
): void {
  const signed = readPartSignature(part.text('thoughtSignature'))
  const text = part.text('text')
  if (text !== undefined && part.boolean('thought') === true) {
    readThought(part, text, signed, draft, notes)
    return
  }
  const signature = ownSignature(part, signed, draft, notes)
  const call = part.object('functionCall')
  if (text !== undefined) draft.text(text, signature)
  else if (call) {
    draft.other({ ...readCall(call, calls, notes, turn), ...(signature && { signature }) })
  } else readMedium(part, draft, notes)
}

function readThought(
  part: Place,
  text: string,
  signed: PartSignature | undefined,
  draft: AssistantDraft,
  notes: PlaceNotes,
): void {
  notes.uses('reasoning_history', part.nameOf('thought'))
  if (!signed) return draft.reasoning(text)
  const form = signed.form ?? 'summary'
  draft.reasoning(text, { signature: signed.signature, form })
}

/** A signature of foreign reasoning may travel on the part that came after it. */
function ownSignature(
  part: Place,
  signed: PartSignature | undefined,
  draft: AssistantDraft,
  notes: PlaceNotes,
) {
  if (signed?.form === undefined) return signed?.signature
  notes.uses('reasoning_history', part.nameOf('thoughtSignature'))
  draft.reasoning('', { signature: signed.signature, form: signed.form })
  return undefined
}

function readCall(call: Place, calls: OpenCalls, notes: PlaceNotes, turn: number) {
  notes.others(call, callRules)
  const name = call.text('name')
  if (name === undefined || name === '') throw wrong(call.nameOf('name'), 'a non-empty string')
  const args = call.value('args') ?? {}
  if (!isObject(args)) throw wrong(call.nameOf('args'), 'an object')
  checkDepth(args, call.nameOf('args'))
  return {
    type: 'tool_call',
    id: calls.add(call.text('id'), name, turn),
    name,
    kind: 'function',
    arguments: JSON.stringify(args),
  } as const
}

function readMedium(part: Place, draft: AssistantDraft, notes: PlaceNotes): void {
  if (part.has('functionResponse')) throw wrong(part.path, 'a part of the user, in a content of it')
  const inline = part.object('inlineData')
  const file = part.object('fileData')
  const media = inline ? readInline(inline, notes) : file && readFile(file, notes)
  if (media?.type === 'image' || media?.type === 'audio') draft.other(media)
  else if (media) notes.lost(part.path, ['warn', 'models answer without files elsewhere'])
}
