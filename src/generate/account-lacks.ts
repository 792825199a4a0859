import type { ToolResult } from './content.ts'
import type { GenerateRequest, Turn } from './request.ts'
import type { Feature } from './unsupported.ts'

/**
 * The words with which an account says what its server lacks: features of the codecs, and three
 * words of their own. `reasoning`: all settings of reasoning, and earlier reasoning. `safety_identifier`: the name
 * of the end user that replaced `user`. `stored-responses`: responses that the server keeps.
 */
export const accountLacks = [
  'audio_input',
  'cache_key',
  'cache_points',
  'candidates',
  'custom_tools',
  'end_user',
  'file_input',
  'file_url',
  'frequency_penalty',
  'image_detail',
  'image_input',
  'image_url',
  'json_object',
  'json_schema',
  'logprobs',
  'metadata',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning',
  'reasoning_effort',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stored-responses',
  'strict_tools',
  'system_midway',
  'temperature_above_1',
  'top_k',
  'verbosity',
] as const satisfies readonly (Feature | 'reasoning' | 'safety_identifier' | 'stored-responses')[]

/** A word of `accountLacks`. */
export type AccountLack = (typeof accountLacks)[number]

const featuresOfReasoning: readonly Feature[] = [
  'reasoning_budget',
  'reasoning_effort',
  'reasoning_history',
  'reasoning_summary',
]

/** The features that the words stand for. */
export function featuresOf(lacks: readonly AccountLack[]): Set<Feature> {
  return new Set(
    lacks.flatMap((lack): readonly Feature[] => {
      if (lack === 'reasoning') return featuresOfReasoning
      return lack === 'safety_identifier' || lack === 'stored-responses' ? [] : [lack]
    }),
  )
}

/** `supports`: the features of the account's codec. */
type Removal = (request: GenerateRequest, supports: readonly Feature[]) => GenerateRequest

/** Leaves out a member of the request. */
const without =
  (name: keyof GenerateRequest): Removal =>
  (request) => {
    const rest: Partial<GenerateRequest> = { ...request }
    Reflect.deleteProperty(rest, name)
    return rest as GenerateRequest
  }

/** Leaves out a member of the sampling. */
const unsampled =
  (name: keyof GenerateRequest['sampling']): Removal =>
  (request) => {
    const { [name]: _, ...sampling } = request.sampling
    return { ...request, sampling }
  }

/**
 * How each feature is left out of a request. The features without an entry never reach an account that
 * lacks them: the call is declined, or the gateway fetches the file.
 */
const removals: Readonly<Partial<Record<AccountLack, Removal>>> = {
  cache_key: without('cacheKey'),
  cache_points: (request) => ({
    ...request,
    tools: request.tools.map(unmarked),
    turns: request.turns.map((turn) =>
      turn.role === 'tool'
        ? { ...turn, results: turn.results.map(unmarkedResult) }
        : ({ ...turn, content: (turn.content as readonly object[]).map(unmarked) } as Turn),
    ),
  }),
  end_user: without('endUser'),
  frequency_penalty: unsampled('frequencyPenalty'),
  image_detail: (request) => ({ ...request, turns: request.turns.map(withoutDetail) }),
  metadata: without('metadata'),
  parallel_tool_calls: without('parallelToolCalls'),
  presence_penalty: unsampled('presencePenalty'),
  reasoning(request) {
    const { reasoning: _, ...rest } = request
    return { ...rest, turns: request.turns.map(withoutReasoning) }
  },
  reasoning_effort({ reasoning, ...request }, supports) {
    const { effort: _, budget, ...rest } = reasoning ?? {}
    // Other codecs write the budget as an effort.
    const budgets = budget !== undefined && supports.includes('reasoning_budget') ? { budget } : {}
    const kept = { ...rest, ...budgets }
    return Object.keys(kept).length > 0 ? { ...request, reasoning: kept } : request
  },
  seed: unsampled('seed'),
  service_tier: without('serviceTier'),
  stop: without('stop'),
  store: without('store'),
  strict_tools: (request) => ({
    ...request,
    tools: request.tools.map((tool) => {
      if (tool.kind === 'custom') return tool
      const { strict: _, ...rest } = tool
      return rest
    }),
  }),
  system_midway: (request) => ({ ...request, turns: withSystemFirst(request.turns) }),
  temperature_above_1(request) {
    const { temperature = 0 } = request.sampling
    return temperature > 1
      ? { ...request, sampling: { ...request.sampling, temperature: 1 } }
      : request
  },
  top_k: unsampled('topK'),
  verbosity: without('verbosity'),
}

/** The request without what the account lacks. `supports`: the features of its codec. */
export function withoutLacks(
  request: GenerateRequest,
  lacks: readonly AccountLack[],
  supports: readonly Feature[],
): GenerateRequest {
  return lacks.reduce((rest, lack) => removals[lack]?.(rest, supports) ?? rest, request)
}

function unmarked<Marked extends object>(marked: Marked): Marked {
  const { cache: _, ...rest } = marked as Marked & { cache?: unknown }
  return rest as Marked
}

function unmarkedResult(result: ToolResult): ToolResult {
  return unmarked({ ...result, content: result.content.map(unmarked) })
}

function withoutDetail(turn: Turn): Turn {
  if (turn.role !== 'user') return turn
  const content = turn.content.map((part) => {
    if (part.type !== 'image') return part
    const { detail: _, ...rest } = part
    return rest
  })
  return { ...turn, content }
}

function withoutReasoning(turn: Turn): Turn {
  if (turn.role !== 'assistant') return turn
  return { ...turn, content: turn.content.filter(({ type }) => type !== 'reasoning') }
}

/** All system texts as one turn at the start. */
function withSystemFirst(turns: readonly Turn[]): readonly Turn[] {
  const content = turns.flatMap((turn) => (turn.role === 'system' ? turn.content : []))
  if (content.length === 0) return turns
  return [{ role: 'system', content }, ...turns.filter(({ role }) => role !== 'system')]
}
