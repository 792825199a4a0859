import type {
  AccountTraits,
  EncodedRequest,
  RecordLoss,
} from '../../../../../src/contract/codec.ts'
import type { GenerateRequest, Sampling } from '../../../../../src/generate/request.ts'
import { schemaName } from '../../../../../src/generate/names.ts'
import { fillPath } from '../../../../../src/kit/account-path.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { defined, type JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt } from '../../../../../src/lib/json/read.ts'
import { encodeOutput } from '../../../shared/blocks/encode-output.ts'
import { encodeTurns, fixLastMessage, mayPrefill } from '../../../shared/blocks/encode-turns.ts'
import { samplingOf } from '../../../shared/blocks/encode-thinking.ts'
import { ConverseBlocks, encodeText, keepPointsFromResults } from './encode-blocks.ts'
import { nameDocuments } from './encode-documents.ts'
import { encodeReasoning } from './encode-reasoning.ts'
import { encodeTools } from './encode-tools.ts'
import { type ModelTraits, traitsOf } from './families.ts'

/** Encodes a request for an account of the Converse API. */
export function encodeRequest(
  request: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
  account?: Pick<AccountTraits, 'options'>,
): EncodedRequest {
  const model = traitsOf(upstreamModel)
  const { facts } = model
  const blocks = new ConverseBlocks(model, request.fields.document_context, drop)
  const messages = encodeTurns(request, blocks, drop)
  const usesPrefill = mayPrefill(request, messages, facts, drop)
  const { toolConfig, forced, instruction } = encodeTools(request, model, drop)
  const output = encodeOutput(request, facts, usesPrefill, drop)
  const settings = { messages, usesPrefill, forced }
  const reasoning = encodeReasoning(request, model, settings, drop)
  fixLastMessage(request, messages, { blocks, usesPrefill, drop })
  nameDocuments(messages)
  if (model.caches === 'texts') keepPointsFromResults(messages)
  const sampling = samplingOf(request, facts, reasoning, { api: blocks.api, drop })
  const stopSequences = supportedStops(request, drop, (sequence) => sequence.trim() !== '')
  const operation = request.stream ? 'converse-stream' : 'converse'
  return {
    path: fillPath(`/model/{model/}/${operation}`, { model: upstreamModel }),
    body: defined({
      messages,
      system: filled(encodeSystem(request, blocks, [instruction, output.instruction])),
      inferenceConfig: given({
        maxTokens: reasoning.maxTokens,
        temperature: sampling.temperature,
        topP: sampling.topP,
        stopSequences: filled(stopSequences),
      }),
      toolConfig,
      guardrailConfig: guardrailOf(account),
      additionalModelRequestFields: given({
        ...reasoning.fields,
        top_k: encodeTopK(sampling, model, request, drop),
      }),
      // Models of Anthropic say which sequence ended the answer.
      additionalModelResponseFieldPaths:
        model.family === 'claude' && stopSequences.length > 0 ? ['/stop_sequence'] : undefined,
      outputConfig: given({
        effort: reasoning.effort,
        textFormat: output.format && textFormatOf(output.format, request),
      }),
      serviceTier: encodeTier(request, drop),
      requestMetadata: encodeMetadata(request, drop),
    }),
  }
}

/** The guardrail of the account, which clients cannot choose. */
function guardrailOf(account: Pick<AccountTraits, 'options'> = {}): JsonObject | undefined {
  const guardrail = objectAt(account.options, 'guardrail')
  if (!guardrail) return undefined
  return { guardrailIdentifier: guardrail['id'], guardrailVersion: guardrail['version'] }
}

/** The members that are defined; `undefined` for none. */
function given(members: JsonObject): JsonObject | undefined {
  const known = defined(members)
  return Object.keys(known).length > 0 ? known : undefined
}

function filled<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length > 0 ? list : undefined
}

function encodeSystem(
  { turns }: GenerateRequest,
  blocks: ConverseBlocks,
  instructions: readonly (string | undefined)[],
): JsonObject[] {
  const parts = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  return [...blocks.parts(parts), ...instructions.flatMap((text) => encodeText(text ?? ''))]
}

function encodeTopK(
  { topK }: Sampling,
  { family }: ModelTraits,
  { fields }: GenerateRequest,
  drop: RecordLoss,
): number | undefined {
  if (topK === undefined || family === 'claude') return topK
  drop(fields.top_k ?? 'top_k', 'the Converse API has no such setting for the model')
  return undefined
}

/** The schema of the reply's text, which the API takes as text. */
function textFormatOf({ schema }: JsonObject, { output }: GenerateRequest): JsonObject {
  const { name, description } = output?.kind === 'schema' ? output : {}
  const jsonSchema = {
    schema: JSON.stringify(schema),
    ...(name && { name: schemaName(name) }),
    ...(description && { description }),
  }
  return { type: 'json_schema', structure: { jsonSchema } }
}

const tiers = new Set(['default', 'flex', 'priority', 'reserved'])

function encodeTier(
  { serviceTier, fields }: GenerateRequest,
  drop: RecordLoss,
): JsonObject | undefined {
  if (serviceTier === undefined || serviceTier === 'auto') return undefined
  const type = serviceTier === 'standard' ? 'default' : serviceTier
  if (tiers.has(type)) return { type }
  drop(fields.service_tier ?? 'service_tier', 'the Converse API has no such tier')
  return undefined
}

/** What the API accepts in names and values of metadata, and how many of them. */
const metadataText = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/
const mostMetadata = 16

/** Leaves out the metadata that accounts refuse. */
function encodeMetadata(
  { metadata = {}, fields }: GenerateRequest,
  drop: RecordLoss,
): JsonObject | undefined {
  const entries = Object.entries(metadata)
  const valid = entries
    .filter(([name, value]) => name !== '' && metadataText.test(name) && metadataText.test(value))
    .slice(0, mostMetadata)
  if (valid.length < entries.length) {
    drop(fields.metadata ?? 'metadata', 'the Converse API accepts no such names or values')
  }
  return valid.length > 0 ? Object.fromEntries(valid) : undefined
}
