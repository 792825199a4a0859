import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type TestRedis, startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'

export interface Topology extends AsyncDisposable {
  /** As the `store` of a configuration has it. */
  readonly url: string
}

const slots = 16_384

/** A cluster, and its nodes in the order of their slots. */
export interface TestCluster extends Topology {
  readonly nodes: readonly TestRedis[]
}

/** Three nodes that share the slots. */
export async function startCluster(): Promise<TestCluster> {
  const nodes = await Promise.all([1, 2, 3].map(() => startRedis('--cluster-enabled', 'yes')))
  const [first] = nodes
  const share = Math.ceil(slots / nodes.length)
  for (const [index, node] of nodes.entries()) {
    const last = Math.min((index + 1) * share, slots) - 1
    await node.command('CLUSTER', 'ADDSLOTSRANGE', String(index * share), String(last))
    await node.command('CLUSTER', 'MEET', '127.0.0.1', String(first?.port))
  }
  await until(async () => (await Promise.all(nodes.map(isWhole))).every(Boolean), 20_000)
  return {
    nodes,
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))),
  }
}

async function isWhole(node: TestRedis): Promise<boolean> {
  return (await node.command('CLUSTER', 'INFO')).includes('cluster_state:ok')
}

/** A master, and one sentinel that knows it as `main`. */
export async function startSentinel(): Promise<Topology> {
  const master = await startRedis()
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-sentinel-'))
  const file = join(directory, 'sentinel.conf')
  const watched = `sentinel monitor main 127.0.0.1 ${master.port} 1\nbind 127.0.0.1\n`
  await writeFile(file, watched)
  // A sentinel is a Redis in another mode: it takes its port from the one that was found free.
  const free = await startRedis()
  await free[Symbol.asyncDispose]()
  const sentinel = spawn('redis-server', [file, '--sentinel', '--port', String(free.port)], {
    stdio: 'ignore',
  })
  await once(sentinel, 'spawn')
  return {
    url: `redis+sentinel://127.0.0.1:${free.port}/main`,
    async [Symbol.asyncDispose]() {
      const ended = once(sentinel, 'exit')
      sentinel.kill('SIGKILL')
      await ended
      await master[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
