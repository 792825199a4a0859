import type { RawRequest } from '../../../../../src/contract/codec.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { readContents, readSystem } from './decode-contents.ts'
import { readOptions } from './decode-options.ts'
import { readTools } from './decode-tools.ts'
import { defined } from '../../../../../src/lib/json/object.ts'
import { RequestNotes, type Rules } from './notes.ts'
import { RequestObject } from './request-object.ts'

const rules: Rules = {
  contents: false,
  systemInstruction: false,
  generationConfig: false,
  tools: false,
  toolConfig: false,
  serviceTier: false,
  store: false,
  model: false,
  safetySettings: false,
  labels: ['silent', 'labels are for the billing of this provider'],
  cachedContent: ['native', 'only the account that cached the content has it'],
  continuationToken: ['native', 'only the account that issued the token can continue'],
}

/** Decodes a client's request of the Gemini API. Throws `invalid_value` and its kin. */
export function decodeRequest({ body, stream }: RawRequest): GenerateRequest {
  const request = new RequestObject(body)
  const notes = new RequestNotes()
  const turns = [...readSystem(request, notes), ...readContents(request, notes)]
  const tools = readTools(request, notes)
  const options = readOptions(request.object('generationConfig'), notes)
  const service = readService(request, notes)
  noteSafety(request, notes)
  notes.noteOthers(request, rules)
  return {
    stream,
    turns,
    ...tools,
    ...options,
    ...service,
    fields: notes.fields,
    settings: notes.settings,
    extras: notes.extras,
  }
}

const defaultThreshold = 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'

function noteSafety(request: RequestObject, notes: RequestNotes): void {
  const thresholds = request.objects('safetySettings').map((one) => one.text('threshold'))
  if (thresholds.every((threshold = defaultThreshold) => threshold === defaultThreshold)) return
  const reason = 'other dialects have no safety settings'
  notes.noteLoss(request.pathOf('safetySettings'), ['warn', reason])
}

function readService(
  request: RequestObject,
  notes: RequestNotes,
): Pick<GenerateRequest, 'serviceTier' | 'store'> {
  const tier = request.text('serviceTier')?.toLowerCase()
  const serviceTier = tier === 'unspecified' ? undefined : tier
  const store = request.boolean('store')
  if (serviceTier !== undefined) notes.uses('service_tier', request.pathOf('serviceTier'))
  if (store === true) notes.uses('store', request.pathOf('store'))
  return defined({ serviceTier, store })
}
