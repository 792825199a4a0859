import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { until } from '../../src/testing/until.ts'

/** A span as Jaeger's API has it. */
export interface JaegerSpan {
  readonly spanID: string
  readonly operationName: string
  readonly references: readonly {
    readonly refType: 'CHILD_OF' | 'FOLLOWS_FROM'
    readonly traceID: string
    readonly spanID: string
  }[]
  readonly tags: readonly { readonly key: string; readonly value: unknown }[]
  readonly logs: readonly { readonly fields: JaegerSpan['tags'] }[]
}

export interface Jaeger extends AsyncDisposable {
  /** The address for OTLP over HTTP. */
  readonly endpoint: string
  services(): Promise<readonly string[]>
  /** The spans of a trace, once it has this many. */
  trace(traceId: string, spans: number): Promise<readonly JaegerSpan[]>
}

const version = '1.76.0'

/** Builds Jaeger, unless `JAEGER_BINARY` names one or an earlier run has built it. Returns its path. */
export async function buildJaeger(): Promise<string> {
  const { JAEGER_BINARY, XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env
  if (JAEGER_BINARY) return JAEGER_BINARY
  const binary = join(XDG_CACHE_HOME, 'dragoman-tests', `jaeger-${version}`)
  if (!(await exists(binary))) {
    const script = join(import.meta.dirname, 'build', 'jaeger.sh')
    await promisify(execFile)('bash', [script, binary], { maxBuffer: 64 * 1024 * 1024 })
  }
  return binary
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** Starts Jaeger on free ports of the loopback interface, with its traces in memory. */
export async function startJaeger(binary: string): Promise<Jaeger> {
  const flags = [
    'query.http-server.host-port',
    'collector.otlp.http.host-port',
    'query.grpc-server.host-port',
    'collector.otlp.grpc.host-port',
    'collector.grpc-server.host-port',
    'collector.http-server.host-port',
    'admin.http.host-port',
  ]
  const ports = await freePorts(flags.length)
  const args = flags.map((flag, index) => `--${flag}=127.0.0.1:${ports[index]}`)
  const child = spawn(binary, args, { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const query = `http://127.0.0.1:${ports[0]}/api`
  const dataAt = async <T>(path: string): Promise<readonly T[]> => {
    const response = await fetch(query + path).catch(() => undefined)
    if (!response?.ok) return []
    return ((await response.json()) as { data: readonly T[] | null }).data ?? []
  }
  await until(
    () =>
      fetch(`${query}/services`).then(
        (response) => response.ok,
        () => false,
      ),
    60_000,
  )
  return {
    endpoint: `http://127.0.0.1:${ports[1]}`,
    services: () => dataAt<string>('/services'),
    async trace(traceId, spans) {
      let found: readonly JaegerSpan[] = []
      await until(async () => {
        const [trace] = await dataAt<{ spans: readonly JaegerSpan[] }>(`/traces/${traceId}`)
        found = trace?.spans ?? []
        return found.length >= spans
      }, 30_000)
      return found
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports: number[] = []
  for (const server of servers) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ports.push((server.address() as AddressInfo).port)
  }
  for (const server of servers) server.close()
  return ports
}
