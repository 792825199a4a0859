import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

/** The parts of a reply that decide its stop reason. */
interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/**
 * How answers end by their `finish_reason`, in small letters: complete, cut short or blocked, or failed with an HTTP
 * status. Sources: the API references of OpenAI, Mistral, Z.ai, DeepSeek, OpenRouter and Cohere; the source of vLLM
 * and SGLang, whose engines end answers with `abort`; and the Gemini API, whose words other servers pass on.
 */
const ends = new TextMap<StopReason | number>([
  ['stop', 'stop'],
  ['completed', 'stop'],
  ['complete', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'stop'],
  ['tool_call', 'stop'],
  ['function_call', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['abort', 'length'],
  ['model_length', 'context'],
  ['model_context_window_exceeded', 'context'],
  ['content_filter', 'filtered'],
  ['sensitive', 'filtered'],
  ['safety', 'filtered'],
  ['recitation', 'filtered'],
  ['blocklist', 'filtered'],
  ['prohibited_content', 'filtered'],
  ['spii', 'filtered'],
  ['model_armor', 'filtered'],
  ['error', 502],
  ['network_error', 502],
  ['insufficient_system_resource', 503],
  ['timeout', 504],
])

/** Looks a reason up. The Gemini API writes its own reason behind one of OpenAI's form: `content_filter: OTHER`. */
function endOf(raw: string): StopReason | number | undefined {
  const word = raw.toLowerCase()
  return ends.get(word) ?? ends.get(word.split(':', 1)[0]!)
}

/** The HTTP status of the failure that a `finish_reason` means; `undefined` for one that means none. */
export function failureStatusOf(raw: unknown): number | undefined {
  const end = typeof raw === 'string' ? endOf(raw) : undefined
  return typeof end === 'number' ? end : undefined
}

/** Whether a `finish_reason` is one that is known, so that an answer without content may end with it. */
export function isKnownEnd(raw: string): boolean {
  return endOf(raw) !== undefined
}

/** Whether a `finish_reason` means that the answer is cut short or blocked. */
export function isIncompleteEnd(raw: string): boolean {
  return incompleteOf(raw) !== undefined
}

function incompleteOf(raw: string): StopReason | undefined {
  const end = endOf(raw)
  return typeof end === 'number' || end === 'stop' ? undefined : end
}

/**
 * Returns the neutral stop reason for a `finish_reason`. Some accounts send `stop` or nothing although
 * the reply has tool calls.
 */
export function readStop(raw: string | undefined, { hasCalls, hasRefusal }: Contents): Stop {
  const incomplete = raw === undefined ? undefined : incompleteOf(raw)
  const reason = reasonOf(incomplete, hasCalls, hasRefusal)
  return { reason, ...(raw !== undefined && { raw }) }
}

function reasonOf(
  incomplete: StopReason | undefined,
  hasCalls: boolean,
  hasRefusal: boolean,
): StopReason {
  if (hasRefusal && (incomplete === undefined || incomplete === 'filtered')) return 'refused'
  return incomplete ?? (hasCalls ? 'tool_calls' : 'stop')
}

const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  context: 'length',
  filtered: 'content_filter',
  refused: 'content_filter',
  paused: 'stop',
}

/** Providers' finish reasons for complete answers. */
const complete = new Set<string | undefined>(['stop', 'completed'])

/**
 * Returns the `finish_reason` for a client. A refusal with a text may be a complete answer: its reason is
 * `stop`, so that clients read `message.refusal` and do not throw.
 */
export function finishReasonOf({ reason, raw }: Stop, hasRefusal: boolean): string {
  return reason === 'refused' && hasRefusal && complete.has(raw) ? 'stop' : finishReasons[reason]
}

/** The refusal text for a client where the model refused without a text. */
export const defaultRefusal = 'The model refused to answer.'
