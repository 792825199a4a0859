import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../src/testing/until.ts'

/** A sample of an answer: its labels, and its value as text. */
interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

/** A running Prometheus. */
export interface Prometheus extends AsyncDisposable {
  /** The answer to an expression. Rejects if Prometheus refuses it. */
  query(expression: string): Promise<readonly Sample[]>
  /** Resolves with the last error of its scrapes once it has scraped. */
  scraped(): Promise<string>
}

/** Starts Prometheus, which scrapes `/metrics` of a host every second with a token. */
export async function startPrometheus(target: string, token: string): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-prometheus-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await writeFile(join(directory, 'token'), token)
  await writeFile(
    join(directory, 'prometheus.yml'),
    `scrape_configs:
  - job_name: dragoman
    scrape_interval: 1s
    authorization: { credentials_file: token }
    static_configs: [{ targets: ['${target}'] }]
`,
  )
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'close')

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(url + path)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: T
      error?: string
    }
    if (status !== 'success') throw new Error(error)
    return data
  }

  await until(() =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return {
    query: async (expression) =>
      (await get<{ result: Sample[] }>(`/api/v1/query?query=${encodeURIComponent(expression)}`))
        .result,
    async scraped() {
      let error = ''
      await until(async () => {
        const { activeTargets } = await get<{
          activeTargets: { health: string; lastError: string }[]
        }>('/api/v1/targets')
        error = activeTargets[0]?.lastError ?? ''
        return activeTargets[0] !== undefined && activeTargets[0].health !== 'unknown'
      }, 30_000)
      return error
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Runs `promtool check metrics` on a scrape; what it finds, nothing for a clean one. */
export async function checkMetrics(text: string): Promise<string> {
  const child = spawn('promtool', ['check', 'metrics'])
  let found = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => void (found += part))
  child.stdin.end(text)
  await once(child, 'close')
  return found
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
