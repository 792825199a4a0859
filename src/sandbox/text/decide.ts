import type { Directives } from '../steering/directives.ts'
import type { TextResult, TokenUsage, ToolCall, Ending } from './result.ts'
import type { TextRequest, ToolDefinition } from './request.ts'
import { exampleArguments, exampleOf } from './example.ts'
import { countTokens, firstTokens, generateWords } from './words.ts'

/** Decides what to say. The same request with the same directives always gets the same answer. */
export function decide(ask: TextRequest, directives: Directives, accountId: string): TextResult {
  const wantsReasoning = ask.reasoning || directives.think === true
  const reasoning = wantsReasoning ? `The user wrote: ${ask.userText}` : undefined
  const refusal = directives.refuse ? 'The sandbox refuses, as ordered.' : undefined
  const calls = refusal === undefined ? callsFor(ask, directives) : []
  const spoken = refusal === undefined ? textFor(ask, directives, accountId, calls) : undefined
  const { text, ending } = withinLimits(spoken, ask, endingOf(refusal, calls))
  const usage = usageOf(ask, [text, refusal, JSON.stringify(calls)], reasoning)
  return {
    reasoning,
    text,
    refusal,
    calls,
    ending,
    finish: directives.finish,
    usage: directives.nousage ? undefined : usage,
    inOnePiece: directives.big !== undefined,
  }
}

// A conversation that ends with tool results gets a text, so that tool loops come to an end.
function callsFor(ask: TextRequest, directives: Directives): ToolCall[] {
  const isAnswered = ask.toolResults.length > 0 && ask.toolRounds >= (directives.rounds ?? 1)
  if (isAnswered || ask.toolChoice === 'none') return []
  const ordered = directives.tool !== undefined || directives.tools !== undefined
  const forced = ask.toolChoice !== 'auto' && ask.tools.length > 0
  if (!ordered && !forced) return []
  const named = typeof ask.toolChoice === 'object' ? ask.toolChoice.name : directives.tool
  const tools = named ? [toolNamed(named, ask)] : ask.tools
  const available = tools.length > 0 ? tools : [toolNamed('example_tool', ask)]
  const count = directives.tools ?? 1
  return Array.from({ length: count }, (_, index) => callOf(available[index % available.length]!))
}

function toolNamed(name: string, ask: TextRequest): ToolDefinition {
  return ask.tools.find((tool) => tool.name === name) ?? { name, parameters: {} }
}

function callOf({ name, parameters, freeform = false }: ToolDefinition): ToolCall {
  return { name, freeform, input: freeform ? 'example' : exampleArguments(parameters) }
}

function textFor(
  ask: TextRequest,
  directives: Directives,
  accountId: string,
  calls: ToolCall[],
): string | undefined {
  if (directives.text) return directives.text
  if (directives.words !== undefined) return generateWords(directives.words)
  if (directives.big !== undefined) return 'x'.repeat(directives.big)
  if (directives.whoami) return accountId
  if (calls.length > 0) return undefined
  if (ask.outputSchema !== undefined) return JSON.stringify(exampleOf(ask.outputSchema))
  if (ask.toolResults.length > 0) return `The tool answered: ${ask.toolResults.join('; ')}`
  return ask.userText === '' ? 'You said nothing.' : `You said: ${ask.userText}`
}

function endingOf(refusal: string | undefined, calls: ToolCall[]): Ending {
  if (refusal !== undefined) return { why: 'refusal' }
  return { why: calls.length > 0 ? 'calls' : 'done' }
}

function withinLimits(
  text: string | undefined,
  ask: TextRequest,
  ending: Ending,
): { text: string | undefined; ending: Ending } {
  if (text === undefined) return { text, ending }
  const [first] = ask.stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
  const stopped = first ? text.slice(0, first.at) : text
  const { maxTokens = Infinity } = ask
  if (countTokens(stopped) > maxTokens)
    return { text: firstTokens(stopped, maxTokens), ending: { why: 'length' } }
  return first
    ? { text: stopped, ending: { why: 'stop', sequence: first.sequence } }
    : { text, ending }
}

function usageOf(
  ask: TextRequest,
  spoken: (string | undefined)[],
  thought: string | undefined,
): TokenUsage {
  const reasoning = thought === undefined ? 0 : countTokens(thought)
  const text = spoken.filter((part) => part !== undefined && part !== '[]').join(' ')
  return { input: countTokens(ask.inputText), output: countTokens(text) + reasoning, reasoning }
}
