import type { Directives } from '../steering/directives.ts'
import type { TextResult, TokenUsage, ToolCall, Ending } from './result.ts'
import type { TextRequest, ToolDefinition } from './request.ts'
import { exampleArguments, exampleOf } from './example.ts'
import { countTokens, firstTokens, generateWords } from './words.ts'

/**
 * Decides the result of a request. It depends on the request, the directives and the account alone.
 */
export function decide(
  request: TextRequest,
  directives: Directives,
  accountId: string,
): TextResult {
  const wantsReasoning = request.reasoning || directives.think === true
  const reasoning = wantsReasoning ? `The user wrote: ${request.userText}` : undefined
  const refusal = directives.refuse ? 'The sandbox refuses, as directed.' : undefined
  const calls = refusal === undefined ? callsFor(request, directives) : []
  const fullText =
    refusal === undefined ? textFor(request, directives, accountId, calls) : undefined
  const { text, ending } = withinLimits(fullText, request, endingOf(refusal, calls))
  const usage = usageOf(request, [text, refusal, JSON.stringify(calls)], reasoning)
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

// A conversation that ends with tool results gets a text, so that tool loops end.
function callsFor(request: TextRequest, directives: Directives): ToolCall[] {
  const isAnswered =
    request.toolResults.length > 0 && request.toolRounds >= (directives.rounds ?? 1)
  if (isAnswered || request.toolChoice === 'none') return []
  const ordered = directives.tool !== undefined || directives.tools !== undefined
  const forced = request.toolChoice !== 'auto' && request.tools.length > 0
  if (!ordered && !forced) return []
  const named = typeof request.toolChoice === 'object' ? request.toolChoice.name : directives.tool
  const tools = named ? [toolNamed(named, request)] : request.tools
  const available = tools.length > 0 ? tools : [toolNamed('example_tool', request)]
  const count = directives.tools ?? 1
  return Array.from({ length: count }, (_, index) => callOf(available[index % available.length]!))
}

function toolNamed(name: string, request: TextRequest): ToolDefinition {
  return request.tools.find((tool) => tool.name === name) ?? { name, parameters: {} }
}

function callOf({ name, parameters, freeform = false }: ToolDefinition): ToolCall {
  return { name, freeform, input: freeform ? 'example' : exampleArguments(parameters) }
}

function textFor(
  request: TextRequest,
  directives: Directives,
  accountId: string,
  calls: ToolCall[],
): string | undefined {
  if (directives.text) return directives.text
  if (directives.words !== undefined) return generateWords(directives.words)
  if (directives.big !== undefined) return 'x'.repeat(directives.big)
  if (directives.whoami) return accountId
  if (calls.length > 0) return undefined
  if (request.outputSchema !== undefined) return JSON.stringify(exampleOf(request.outputSchema))
  if (request.toolResults.length > 0) return `The tool answered: ${request.toolResults.join('; ')}`
  return request.userText === '' ? 'You said nothing.' : `You said: ${request.userText}`
}

function endingOf(refusal: string | undefined, calls: ToolCall[]): Ending {
  if (refusal !== undefined) return { reason: 'refusal' }
  return { reason: calls.length > 0 ? 'calls' : 'done' }
}

function withinLimits(
  text: string | undefined,
  request: TextRequest,
  ending: Ending,
): { text: string | undefined; ending: Ending } {
  if (text === undefined) return { text, ending }
  const [first] = request.stop
    .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
  const stopped = first ? text.slice(0, first.at) : text
  const { maxTokens = Infinity } = request
  if (countTokens(stopped) > maxTokens)
    return { text: firstTokens(stopped, maxTokens), ending: { reason: 'length' } }
  return first
    ? { text: stopped, ending: { reason: 'stop', sequence: first.sequence } }
    : { text, ending }
}

function usageOf(
  request: TextRequest,
  parts: (string | undefined)[],
  thought: string | undefined,
): TokenUsage {
  const reasoning = thought === undefined ? 0 : countTokens(thought)
  const text = parts.filter((part) => part !== undefined && part !== '[]').join(' ')
  return { input: countTokens(request.inputText), output: countTokens(text) + reasoning, reasoning }
}
