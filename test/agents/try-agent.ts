import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { accountModels, dialectOf } from './dialects.ts'
import { startScriptedModel, type ModelRequest } from './model/scripted-model.ts'
import { startOutside } from './outside.ts'
import { runAgent, type Run } from './run-agent.ts'
import type { Trial } from './trials.ts'

/** All that is known of a trial when it is over. */
export interface Evidence {
  readonly trial: Trial
  readonly run: Run
  /** What the file to copy says, and nothing else in the world. */
  readonly word: string
  readonly work: string
  /** What the gateway answered the agent, one line of its access log each. */
  readonly exchanges: readonly Exchange[]
  /** What the gateway complained of. */
  readonly complaints: readonly object[]
  readonly requests: readonly ModelRequest[]
  /** Hosts beyond this machine that the agent asked for, in vain. */
  readonly wanted: readonly string[]
}

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** Lets an agent copy a file through a gateway, in a place that is gone afterwards, and judges it. */
export async function tryAgent<Verdict>(
  trial: Trial,
  judge: (evidence: Evidence) => Verdict,
): Promise<Verdict> {
  const { agent, account } = trial
  const word = `word-${randomBytes(8).toString('hex')}`
  const isStrict = account === 'strict chat'
  using place = openPlace(word)
  const { tool, input } = { tool: agent.shell.name, input: agent.shell.input(copyAndShow) }
  await using model = await startScriptedModel({ tool, input, word, isStrict })
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'account',
        provider: isStrict ? 'openai-compatible' : 'sandbox',
        baseUrl: isStrict ? `${model.url}/v1` : model.url,
        apiKey: model.apiKey,
        speaks: [dialectOf(account)],
        models: { [agent.model]: accountModels[account] },
      },
    ],
  })
  await using outside = await startOutside()
  const { url, key } = gateway
  const asked = { ...place, url, key, model: agent.model, prompt }
  const run = await runAgent(agent, asked, outside.env)
  await until(() => gateway.gateway.inflight() === 0)
  const exchanges = (await gateway.logged(0)) as readonly unknown[] as readonly Exchange[]
  return judge({
    trial,
    run,
    word,
    work: place.work,
    exchanges,
    complaints: gateway.log,
    requests: model.requests,
    wanted: [...outside.wanted],
  })
}

const prompt = 'Copy secret.txt to proof.txt in the shell, and tell me what the file says.'
const copyAndShow = 'tee proof.txt < secret.txt'

/** A home and a place to work, with the file that is to be copied. */
function openPlace(word: string): { home: string; work: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-agents-'))
  const [home, work] = [join(root, 'home'), join(root, 'work')]
  mkdirSync(join(home, 'tmp'), { recursive: true })
  mkdirSync(work)
  writeFileSync(join(work, 'secret.txt'), `${word}\n`)
  return {
    home,
    work,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}
