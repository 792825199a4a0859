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

/** The samples of a series over time: in seconds since 1970, and as text. */
interface SeriesOverTime {
  readonly metric: Readonly<Record<string, string>>
  readonly values: readonly (readonly [number, string])[]
}

/** A running Prometheus. */
export interface Prometheus extends AsyncDisposable {
  /** The answer to an expression. Rejects if Prometheus refuses it. */
  query(expression: string): Promise<readonly Sample[]>
  /** The answer for each second since the start. Rejects as `query` does. */
  queryRange(expression: string): Promise<readonly SeriesOverTime[]>
  /** Resolves with the last error of its scrapes once it has scraped. */
  scraped(): Promise<string>
}

/** The options of `startPrometheus`. */
interface PrometheusOptions {
  /** Hosts with ports. */
  readonly targets: readonly string[]
  /** Absent: scrapes carry none. */
  readonly token?: string
  /** The path of a file of rules, which are evaluated every second. */
  readonly rules?: string
}

/** Starts Prometheus, which scrapes `/metrics` of its targets every second, as the job `dragoman`. */
export async function startPrometheus({
  targets,
  token = '',
  rules,
}: PrometheusOptions): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-prometheus-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await writeFile(join(directory, 'token'), token)
  await writeFile(
    join(directory, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: rules === undefined ? [] : [rules],
      scrape_configs: [
        {
          job_name: 'dragoman',
          ...(token !== '' && { authorization: { credentials_file: 'token' } }),
          static_configs: [{ targets }],
        },
      ],
    }),
  )
  const startedAt = Date.now() / 1_000
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

  const encoded = encodeURIComponent

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
      (await get<{ result: Sample[] }>(`/api/v1/query?query=${encoded(expression)}`)).result,
    async queryRange(expression) {
      const period = `start=${startedAt}&end=${Date.now() / 1_000}&step=1`
      const path = `/api/v1/query_range?query=${encoded(expression)}&${period}`
      return (await get<{ result: SeriesOverTime[] }>(path)).result
    },
    async scraped() {
      let error = ''
      await until(async () => {
        const { activeTargets } = await get<{
          activeTargets: { health: string; lastError: string }[]
        }>('/api/v1/targets')
        error = activeTargets.find(({ lastError }) => lastError !== '')?.lastError ?? ''
        return (
          activeTargets.length === targets.length &&
          activeTargets.every(({ health }) => health !== 'unknown')
        )
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
  return (await promtool(['check', 'metrics'], text)).output
}

/** Runs `promtool`: its exit code, and what it prints. */
export async function promtool(
  parameters: readonly string[],
  input = '',
): Promise<{ code: number | null; output: string }> {
  const child = spawn('promtool', parameters)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => void (output += part))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
