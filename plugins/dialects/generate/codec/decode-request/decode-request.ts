import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { readContents, readSystem } from './decode-contents.ts'
import { readOptions } from './decode-options.ts'
import { readTools } from './decode-tools.ts'
import { defined } from '../../../../../src/lib/json/object.ts'
import { PlaceNotes, type Rules } from './notes.ts'
import { FieldPlace } from './field-place.ts'

const rules: Rules = {
  contents: false,
  systemInstruction: false,
  generationConfig: false,
  tools: false,
  toolConfig: false,
  serviceTier: false,
  store: false,
  model: false,
  safetySettings: ['silent', 'filters are set by other means elsewhere'],
  labels: ['silent', 'labels are for the bills of this provider'],
  cachedContent: ['native', 'only the account of the Gemini API that cached the content has it'],
  continuationToken: ['native', 'only the account that gave it goes on from there'],
}

/** A request for content, streamed or not. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const request = new FieldPlace(body)
  const notes = new PlaceNotes()
  const turns = [...readSystem(request, notes), ...readContents(request, notes)]
  const tools = readTools(request, notes)
  const options = readOptions(request.object('generationConfig'), notes)
  const kept = readKept(request, notes)
  notes.others(request, rules)
  return {
    stream,
    turns,
    ...tools,
    ...options,
    ...kept,
    fields: notes.fields,
    settings: notes.settings,
    extras: notes.extras,
  }
}

function readKept(
  request: FieldPlace,
  notes: PlaceNotes,
): Pick<GenerateRequest, 'serviceTier' | 'store'> {
  const tier = request.text('serviceTier')?.toLowerCase()
  const serviceTier = tier === 'unspecified' ? undefined : tier
  const store = request.boolean('store')
  if (serviceTier !== undefined) notes.uses('service_tier', request.nameOf('serviceTier'))
  if (store === true) notes.uses('store', request.nameOf('store'))
  return defined({ serviceTier, store })
}
