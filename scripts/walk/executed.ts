import { type Debugger, Session } from 'node:inspector/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import type { Story } from './stories.ts'

/** A function that a call executes. */
export interface Executed {
  /** The path of the file, from the root of the repository. */
  readonly file: string
  readonly name: string
  readonly line: number
}

interface Place {
  readonly url: string
  readonly scriptId: string
  readonly name: string
  readonly start: number
  readonly end: number
}

const root = join(import.meta.dirname, '../..')
const source = pathToFileURL(root).href
/** Code of the gateway. The sandbox and the test kit stand in for an account and for the command. */
const isGateway = (url: string) =>
  url.startsWith(source) &&
  /^\/(?:src|plugins|config)\//.test(url.slice(source.length)) &&
  !/^\/src\/(?:sandbox|testing)\//.test(url.slice(source.length))

/** Work of timers falls into some calls and not into others. */
const calls = 3

/**
 * The functions that each call of a story executes, in the order in which the last call first enters them. V8's
 * precise coverage finds them; breakpoints that record and never pause find their order, which takes seconds.
 */
export async function executedBy(story: Story, isOrdered: boolean): Promise<Executed[]> {
  using session = openSession()
  await session.inspector.post('Profiler.enable')
  await session.inspector.post('Profiler.startPreciseCoverage', {
    callCount: true,
    detailed: false,
  })

  let common: Map<string, Place> | undefined
  for (let index = 0; index < calls; index++) {
    await session.inspector.post('Profiler.takePreciseCoverage')
    await story.call()
    const { result } = await session.inspector.post('Profiler.takePreciseCoverage')
    const found = new Map<string, Place>()
    for (const { url, scriptId, functions } of result) {
      if (!isGateway(url)) continue
      for (const { functionName, ranges } of functions) {
        const [range] = ranges
        if (!range?.count) continue
        const place = {
          url,
          scriptId,
          name: functionName,
          start: range.startOffset,
          end: range.endOffset,
        }
        const key = `${url}:${range.startOffset}`
        if (!common || common.has(key)) found.set(key, place)
      }
    }
    common = found
  }
  await session.inspector.post('Profiler.stopPreciseCoverage')
  const places = [...(common?.values() ?? [])]
  const order = isOrdered ? await orderOf(places, story, session.inspector) : places
  return order.map(({ url, name, start }) => {
    const path = fileURLToPath(url)
    const line = readFileSync(path, 'utf8').slice(0, start).split('\n').length
    return { file: path.slice(root.length + 1), name: name || '(anonymous)', line }
  })
}

function openSession() {
  const inspector = new Session()
  inspector.connect()
  return { inspector, [Symbol.dispose]: () => inspector.disconnect() }
}

/** The places, in the order in which a call enters them; those that it does not enter are last. */
async function orderOf(places: Place[], story: Story, inspector: Session): Promise<Place[]> {
  await inspector.post('Debugger.enable')
  const entered = new Set<number>()
  Object.assign(globalThis, { walkEntered: entered })
  for (const [index, place] of places.entries()) {
    const location = await firstLocation(place, inspector)
    const condition = `walkEntered.add(${index}), false`
    if (location) await inspector.post('Debugger.setBreakpoint', { location, condition })
  }
  await story.call()
  const rest = places.keys().filter((index) => !entered.has(index))
  return [...entered, ...rest].map((index) => places[index]!)
}

async function firstLocation(
  { url, scriptId, start, end }: Place,
  inspector: Session,
): Promise<Debugger.Location | undefined> {
  const text = readFileSync(new URL(url), 'utf8')
  const { locations } = await inspector.post('Debugger.getPossibleBreakpoints', {
    start: positionOf(text, start, scriptId),
    end: positionOf(text, end, scriptId),
    restrictToFunction: true,
  })
  return locations[0]
}

function positionOf(text: string, offset: number, scriptId: string): Debugger.Location {
  const before = text.slice(0, offset)
  const lineNumber = before.split('\n').length - 1
  return { scriptId, lineNumber, columnNumber: offset - (before.lastIndexOf('\n') + 1) }
}
