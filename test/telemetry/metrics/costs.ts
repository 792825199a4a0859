import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { type MetricsStage, metricsStage } from './stage.ts'
import type { Config } from '../../../src/configuration/config.generated.ts'

/** How an account answers a call of chat; the text of the call's message as JSON. */
interface Script {
  readonly usage?: object
  /** The `service_tier` of the reply. */
  readonly tier?: string
  /** The chunk of a stream's usage lacks it. */
  readonly isTierEarly?: boolean
  readonly status?: number
  /** Only the account of this name fails: after its usage, before any output. */
  readonly breaks?: string
}

/** An account of chat that answers as the message of a call says. `name`: its own, for `breaks`. */
export function startScriptedAccount(name = '') {
  return startFakeAccount((response, { body }) => {
    const { model, stream, messages } = JSON.parse(body.toString()) as {
      model: string
      stream?: boolean
      messages: readonly { readonly content: string }[]
    }
    const script = JSON.parse(messages[0]!.content) as Script
    const { usage, tier, status = 200, breaks, isTierEarly = false } = script
    const head = { id: 'chatcmpl-1', created: 1, model, ...(tier && { service_tier: tier }) }
    if (status !== 200) return void response.writeHead(status).end('{"error":{"message":"x"}}')
    if (stream !== true) {
      const message = { role: 'assistant', content: 'hello' }
      const choices = [{ index: 0, message, finish_reason: 'stop' }]
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(
        JSON.stringify({ ...head, object: 'chat.completion', choices, usage }),
      )
    }
    const chunk = (more: object) =>
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...more })}\n\n`
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (breaks === name) {
      response.write(chunk({ choices: [], usage }))
      return void response.end('data: {"error":{"message":"broken","code":500}}\n\n')
    }
    response.write(
      chunk({ choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }] }),
    )
    response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
    const last = { choices: [], usage, ...(isTierEarly && { service_tier: undefined }) }
    response.end(`${chunk(last)}data: [DONE]\n\n`)
  })
}

/** A call of chat whose account answers so. */
export function chatOf(model: string, script: Script, more: object = {}) {
  return { model, messages: [{ role: 'user', content: JSON.stringify(script) }], ...more }
}

/** The usage of a prompt of 100 tokens, 40 of them cached, and a reply of 10. */
export const usage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_tokens_details: { cached_tokens: 40 },
}

/** A gateway with costs. */
interface CostStage extends AsyncDisposable {
  readonly stage: MetricsStage
  /** Waits until so many attempts have been counted; how many of each status, without those of none. */
  lookups(count: number): Promise<Record<string, number>>
  /** The costs in USD by the labels of the provider and the model. */
  costs(): Promise<Record<string, number>>
  /** Units by the labels of the provider, the model and the unit. */
  units(): Promise<Record<string, number>>
}

/** Starts it. */
export async function costStage(config: Config): Promise<CostStage> {
  const stage = await metricsStage(config)
  async function read(name: string): Promise<[label: string, value: number][]> {
    const { text } = await stage.scrape()
    const samples = text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))
    return Array.from(samples, ([, labels = '', value]) => [
      Array.from(labels.matchAll(/="([^"]*)"/g), ([, label]) => label).join(' '),
      Number(value),
    ])
  }
  return {
    stage,
    async lookups(count) {
      let found: [string, number][] = []
      await until(async () => {
        found = (await read('dragoman_cost_lookups_total')).filter(([, value]) => value > 0)
        return found.reduce((sum, [, value]) => sum + value, 0) >= count
      })
      return Object.fromEntries(found)
    },
    costs: async () => Object.fromEntries(await read('dragoman_cost_usd_total')),
    units: async () => Object.fromEntries(await read('dragoman_units_total')),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  }
}
