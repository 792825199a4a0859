import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Asked, Reference } from './reference.ts'
import { type Seen, startSystem, type System } from './system.ts'

const modelNames = ['large', 'small', 'alias-of-large', 'nobody-has-it']

/** Ids that clients saw, in the order in which they saw them: commands pick by place. */
interface World extends Reference {
  issued: string[]
  items: string[]
}

type Command = fc.AsyncCommand<World, System>

class Ask implements Command {
  readonly asked: Omit<Asked, 'previous'> & { stream: boolean }
  readonly previous: number | { literally: unknown }

  constructor(asked: Ask['asked'], previous: Ask['previous']) {
    this.asked = asked
    this.previous = previous
  }

  check = () => true

  async run(world: World, system: System): Promise<void> {
    const previous =
      typeof this.previous === 'number'
        ? world.issued.at(-1 - (this.previous % Math.max(1, world.issued.length)))
        : this.previous.literally
    const asked = { ...this.asked, previous }
    const allowed = world.expected(asked)
    const before = system.upstreamCalls()
    const seen = await system.ask(asked)
    if (seen.status === 200) {
      expect(allowed.accounts).toContain(seen.account)
      expect(seen.id).toBeDefined()
      learn(world, asked, seen)
      expect(system.upstreamCalls()).toBe(before + 1)
    } else {
      expect(seen.status).toBeGreaterThanOrEqual(400)
      expect(allowed.codes).toContain(seen.code)
      expect(system.upstreamCalls()).toBe(before)
    }
  }

  toString = () => `ask(${JSON.stringify(this.asked)}, ${JSON.stringify(this.previous)})`
}

function learn(world: World, asked: Asked, seen: Seen, named?: string): void {
  const [id, item] = [seen.id as string, seen.item as string]
  world.learn(asked, { id, item, ...(named !== undefined && { named }) }, seen.account as string)
  world.issued.push(id)
  world.items.push(item)
}

/** A request whose input names an item that a client has seen, its own or another's. */
class Name implements Command {
  readonly asked: Pick<Asked, 'key' | 'model'> & { stream: boolean }
  readonly item: number

  constructor(asked: Name['asked'], item: number) {
    this.asked = asked
    this.item = item
  }

  check = () => true

  async run(world: World, system: System): Promise<void> {
    const named = world.items.at(-1 - (this.item % Math.max(1, world.items.length))) ?? 'msg_0'
    const allowed = world.expectedNaming(this.asked, named)
    const before = system.upstreamCalls()
    const seen = await system.ask({ ...this.asked, previous: undefined, named })
    if (seen.status === 200) {
      expect(allowed.accounts).toContain(seen.account)
      learn(world, { ...this.asked, previous: undefined }, seen, named)
    } else expect(allowed.codes).toContain(seen.code)
    expect(system.upstreamCalls()).toBe(before + (seen.status === 200 ? 1 : 0))
  }

  toString = () => `name(${JSON.stringify(this.asked)}, ${this.item})`
}

/** Anything that changes the world around the requests, in both alike. */
class Change implements Command {
  readonly name: string
  readonly change: (world: World) => void

  constructor(name: string, change: (world: World) => void) {
    this.name = name
    this.change = change
  }

  check = () => true

  async run(world: World, system: System): Promise<void> {
    this.change(world)
    system.now = world.now
    system.broken.reads = world.readsFail
    system.broken.writes = world.writesFail
    system.configure(world)
  }

  toString = () => this.name
}

const account = fc.constantFrom('a', 'b', 'c')

function onAccount(
  name: string,
  values: fc.Arbitrary<Partial<{ enabled: boolean; models: string[]; speaks: string[] }>>,
): fc.Arbitrary<Command> {
  return fc.tuple(account, values).map(
    ([id, changed]) =>
      new Change(`${name}(${id}, ${JSON.stringify(changed)})`, (world) => {
        world.accounts.set(id, { ...fresh(), ...world.accounts.get(id), ...changed })
      }),
  )
}

const asks: fc.Arbitrary<Command> = fc
  .record({
    key: fc.constantFrom('one', 'one', 'two'),
    model: fc.constantFrom('large', 'large', ...modelNames),
    stream: fc.boolean(),
    previous: fc.oneof(
      { weight: 6, arbitrary: fc.nat(5) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom<unknown>(
            undefined,
            null,
            '',
            '  ',
            7,
            true,
            {},
            [],
            'resp_0',
            'x'.repeat(600),
          )
          .map((literally) => ({ literally })),
      },
    ),
  })
  .map(({ previous, ...asked }) => new Ask(asked, previous))

const names: fc.Arbitrary<Command> = fc
  .record({
    key: fc.constantFrom('one', 'one', 'two'),
    model: fc.constantFrom('large', 'large', ...modelNames),
    stream: fc.boolean(),
  })
  .chain((asked) => fc.nat(5).map((item) => new Name(asked, item)))

const changes: fc.Arbitrary<Command> = fc.oneof(
  onAccount('enable', fc.record({ enabled: fc.boolean() })),
  onAccount(
    'give',
    fc.record({ models: fc.constantFrom(['large'], ['small'], ['large', 'small']) }),
  ),
  onAccount(
    'teach',
    fc.record({ speaks: fc.constantFrom(['chat'], ['responses'], ['responses']) }),
  ),
  account.map((id) => new Change(`remove(${id})`, (world) => void world.accounts.delete(id))),
  fc
    .constantFrom(1, 30 * 60_000, 60 * 60_000 - 1, 60 * 60_000)
    .map((ms) => new Change(`wait(${ms})`, (world) => void (world.now += ms))),
  fc
    .boolean()
    .map((fails) => new Change(`reads(${fails})`, (world) => void (world.readsFail = fails))),
  fc
    .boolean()
    .map((fails) => new Change(`writes(${fails})`, (world) => void (world.writesFail = fails))),
)

function fresh() {
  return { enabled: true, models: ['large', 'small'], speaks: ['responses'] }
}

function newWorld(): World {
  const world = Object.assign(new Reference(), {
    issued: [] as string[],
    items: [] as string[],
  })
  world.now = Date.now()
  for (const id of ['a', 'b', 'c']) world.accounts.set(id, fresh())
  world.aliases.set('alias-of-large', 'large')
  return world
}

/** The gateway and the reference get the same random calls and changes. `leastSteps`: all runs together have at least so many. */
export function walkChains({
  runs,
  leastSteps,
}: {
  readonly runs: number
  readonly leastSteps: number
}): void {
  test('the gateway and the nine rules agree, whatever happens', { timeout: 120_000 }, async () => {
    let steps = 0
    const commands = fc.commands(
      [asks, asks, asks, names, changes].map((one) => one.map((command) => counted(command))),
      { maxCommands: 300, size: 'max' },
    )
    const counted = (command: Command): Command => ({
      check: (world) => command.check(world),
      run: (world, system) => {
        steps++
        return command.run(world, system)
      },
      toString: () => String(command),
    })
    await fc.assert(
      fc.asyncProperty(commands, async (given) => {
        const world = newWorld()
        await using system = await startSystem(world)
        await fc.asyncModelRun(() => ({ model: world, real: system }), given)
      }),
      { numRuns: runs },
    )
    expect(steps).toBeGreaterThanOrEqual(leastSteps)
  })
}
