import { pinTool, type ToolInput } from './pin-tool.ts'

/** What the model is to do. */
export interface Script {
  readonly tool: string
  readonly input: ToolInput
  /** What only the tool knows: a request that holds it carries the tool's result. */
  readonly word: string
  /** Whether it refuses what strict chat servers refuse. */
  readonly isStrict?: boolean
}

/** What the sandbox is asked and told for one request. */
export interface Order {
  /** To `call` the tool, to say the `word`, or to `chat` where neither is asked for. */
  readonly told: 'call' | 'word' | 'chat'
  readonly body: string
  /** In the sandbox's own words. */
  readonly directives: string
  /** What the tool is called with in place of the sandbox's example, where it takes text. */
  readonly example?: string
}

/** An agent whose tool says something else is called again so often, and then let go. */
const mostCalls = 3

export function orderFor(body: string, script: Script, callsSoFar: number): Order {
  const { tool, input, word } = script
  const request = parsed(body)
  const hasTool = pinTool(request, tool, input)
  const sent = body === '' ? body : JSON.stringify(request)
  if (body.includes(word))
    return { told: 'word', body: sent, directives: `text=The file says ${word}` }
  if (!hasTool || callsSoFar >= mostCalls) return { told: 'chat', body: sent, directives: '' }
  const order = { told: 'call', body: sent, directives: `tool=${tool}` } as const
  return typeof input === 'string' ? { ...order, example: input } : order
}

function parsed(body: string): Record<string, unknown> {
  return body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
}
