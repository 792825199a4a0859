import type { EncodedRequest, RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { fitRequestToModel } from '../../../shared/openai-models.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { matchResults } from '../../../../../src/generate/match-results.ts'
import { noteMissingResults } from '../../../../../src/kit/codec/missing-results.ts'
import { encodeTurns, noOutput } from './encode-items.ts'
import { encodeOptions } from './encode-options.ts'
import type { Tool, ToolChoice } from '../../../../../src/generate/tools.ts'
import { safeToolName } from '../../../../../src/generate/names.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

/** Encodes a request for an account of this dialect and records its losses with `drop`. */
export function encodeRequest(
  original: GenerateRequest,
  upstreamModel: string,
  drop: RecordLoss,
): EncodedRequest {
  const request = fitRequestToModel(original, upstreamModel, 'max', drop)
  const { instructions, input } = splitInstructions(request)
  const results = matchResults(request.turns)
  noteMissingResults(request, results, { api: 'Responses API', output: noOutput }, drop)
  const body = {
    model: upstreamModel,
    ...(instructions !== undefined && { instructions }),
    input: mentionJson(encodeTurns(input, results), request),
    ...(request.stream && { stream: true }),
    ...encodeTools(request),
    ...encodeOptions(request, upstreamModel, drop),
  }
  return { path: '/v1/responses', body }
}

/** Leading system turns become `instructions`, unless the request has no other turns. */
function splitInstructions({ turns }: GenerateRequest) {
  const begin = turns.findIndex(({ role }) => role !== 'system')
  if (begin <= 0) return { instructions: undefined, input: turns }
  const texts = turns
    .slice(0, begin)
    .flatMap((turn) => (turn.role === 'system' ? turn.content : []))
    .map(({ text }) => text)
  return { instructions: texts.join('\n\n'), input: turns.slice(begin) }
}

/** OpenAI refuses JSON mode unless the input contains the word "JSON". */
function mentionJson(items: readonly JsonObject[], { output }: GenerateRequest) {
  if (output?.kind !== 'json' || /json/i.test(JSON.stringify(items))) return items
  const content = [{ type: 'input_text', text: 'Answer in JSON.' }]
  return [{ type: 'message', role: 'system', content }, ...items]
}

/** Encodes the tools and the tool choice; returns no members if the request has no tools. */
function encodeTools(request: GenerateRequest): JsonObject {
  const { tools, toolChoice, parallelToolCalls } = request
  if (tools.length === 0) return {}
  return {
    tools: tools.map(encodeTool),
    ...(toolChoice && { tool_choice: encodeChoice(toolChoice, tools) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  }
}

function encodeTool(tool: Tool): JsonObject {
  const { kind, name, description } = tool
  const shared = {
    type: kind,
    name: safeToolName(name),
    ...(description !== undefined && { description }),
  }
  if (tool.kind === 'custom') {
    return { ...shared, ...(tool.grammar && { format: { type: 'grammar', ...tool.grammar } }) }
  }
  // In this dialect tools are strict by default; in other dialects they are not.
  const { parameters = noParameters, strict = false, outputSchema } = tool
  return { ...shared, parameters, strict, ...(outputSchema && { output_schema: outputSchema }) }
}

const noParameters = { type: 'object', properties: {}, required: [], additionalProperties: false }

function encodeChoice({ mode, only }: ToolChoice, tools: readonly Tool[]): unknown {
  if (mode === 'none' || only?.length === 0) return 'none'
  if (only === undefined) return mode
  const kinds = new TextMap(tools.toReversed().map(({ name, kind }) => [name, kind]))
  const chosen = only.map((name) => ({
    type: kinds.get(name) ?? 'function',
    name: safeToolName(name),
  }))
  const isForced = mode === 'required' && chosen.length === 1
  return isForced ? chosen[0] : { type: 'allowed_tools', mode, tools: chosen }
}
