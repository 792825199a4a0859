import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import type { AssistantPart, TextPart, UserPart } from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { Tool } from '../../../src/generate/tools.ts'

/** A plugin that changes every request in one way. */
export function changing(
  change: (request: GenerateRequest) => GenerateRequest | Promise<GenerateRequest>,
  name = 'changing',
): GatewayPlugin {
  return definePlugin({ name, onRequest: ({ request }) => change(request) })
}

/** A plugin that hides words in all texts of a conversation. */
export function masking(words: string, instead = '[hidden]'): GatewayPlugin {
  return changing((request) => masked(request, words, instead), 'masking')
}

export function masked(request: GenerateRequest, words: string, instead: string): GenerateRequest {
  const inPart = <P extends UserPart | AssistantPart | TextPart>(part: P): P =>
    part.type === 'text' ? { ...part, text: part.text.replaceAll(words, instead) } : part
  const inTurn = (turn: Turn): Turn => {
    if (turn.role !== 'tool') return { ...turn, content: turn.content.map(inPart) } as Turn
    const results = turn.results.map((result) => {
      return { ...result, content: result.content.map(inPart) }
    })
    return { ...turn, results }
  }
  return { ...request, turns: request.turns.map(inTurn) }
}

/** A plugin that puts a system text before every conversation. */
export function instructing(text: string): GatewayPlugin {
  const turn: Turn = { role: 'system', content: [{ type: 'text', text }] }
  return changing((request) => ({ ...request, turns: [turn, ...request.turns] }), 'instructing')
}

/** A plugin that offers the model one more tool. */
export function offering(tool: Tool): GatewayPlugin {
  return changing((request) => ({ ...request, tools: [...request.tools, tool] }), 'offering')
}

export const clock: Tool = {
  kind: 'function',
  name: 'read_clock',
  description: 'Tells the time.',
  parameters: { type: 'object', properties: { zone: { type: 'string' } } },
}
