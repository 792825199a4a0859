/** Sets the stage: upstream and load generator on one core, every subject on the other. */

import type { ChildProcess } from 'node:child_process'
import { startChild } from './children.ts'
import { subjectCore } from './cores.ts'
import { driveLoad, startDrivers } from './drivers.ts'
import type { Flags } from './flags.ts'
import type { LoadReport } from './load.ts'
import { probe } from './probe.ts'
import { requestBytes } from './request.ts'
import { prepareBare } from './subjects/bare.ts'
import { resolve } from 'node:path'
import { dragomanOf } from './subjects/dragoman.ts'
import { prepareNginx } from './subjects/nginx.ts'
import { preparePortkey } from './subjects/portkey.ts'
import type { PrepareSubject, SubjectName } from './subjects/subject.ts'
import type { WorkloadName } from './workloads.ts'

const prepare = (former: string | undefined): Record<SubjectName, PrepareSubject> => ({
  dragoman: dragomanOf(resolve(import.meta.dirname, '../..')),
  former: dragomanOf(former),
  bare: prepareBare,
  nginx: prepareNginx,
  portkey: preparePortkey,
})

/** Something the load can be pointed at; `direct` is the upstream with nothing in between. */
export interface Target {
  name: SubjectName | 'direct'
  port: number
  pid: number
  headers?: Record<string, string>
  child: ChildProcess
}

export interface Stage {
  direct: Target
  load: ChildProcess
}

export async function openStage(): Promise<Stage> {
  const { load, upstream, upstreamPort } = await startDrivers(
    new URL('upstream.ts', import.meta.url),
  )
  const direct: Target = {
    name: 'direct',
    port: upstreamPort,
    pid: upstream.pid!,
    child: upstream,
  }
  return { load, direct }
}

/** A subject that serves, or the reason why it takes no part. */
export async function startSubject(
  stage: Stage,
  name: SubjectName,
  { workloads, former }: Pick<Flags, 'workloads' | 'former'>,
  nodeFlags: string[] = [],
): Promise<Target | string> {
  const subject = await prepare(former)[name](stage.direct.port)
  if (typeof subject === 'string') return subject
  const { port, headers = {}, env = {} } = subject
  const [program = '', ...rest] = subject.command
  const child = startChild([program, ...nodeFlags, ...rest], { core: subjectCore, env })
  try {
    const alive = () => child.exitCode === null && child.signalCode === null
    await probe({ port, headers, alive }, workloads)
  } catch (error) {
    return (error as Error).message
  }
  return { name, port, headers, child, pid: child.pid! }
}

export interface Drive {
  connections: number
  warmupMillis: number
  windowMillis: number
}

/** Points the load at a target and waits for what it saw. */
export function drive(
  stage: Stage,
  target: Target,
  workload: WorkloadName,
  { connections, warmupMillis, windowMillis }: Drive,
): Promise<LoadReport> {
  return driveLoad(stage.load, {
    port: target.port,
    request: requestBytes(target.port, workload, target.headers).toString('latin1'),
    connections,
    warmupMillis,
    windowMillis,
    subjectPid: target.pid,
    upstreamPid: stage.direct.pid,
  })
}
