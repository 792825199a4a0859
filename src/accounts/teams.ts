import type { TeamSetting } from '../contract/quota.ts'
import { compilePatterns } from './patterns.ts'

/** A team of keys. The same object until it changes. */
export interface Team {
  readonly id: string
  /** Absent: operators see the id. */
  readonly name?: string | undefined
  /** Names and patterns of the models that its keys may use. Absent: all that the keys may. */
  readonly models?: readonly string[] | undefined
  mayUse(model: string): boolean
}

/** The teams of a running gateway. */
export interface Teams {
  get(id: string): Team | undefined
  /** The teams of the configuration come first. */
  readonly all: readonly Team[]
  /** Replaces the teams of the configuration or of the store. The configuration's override stored ones of the same id. */
  replace(origin: 'FILE' | 'STORE', teams: readonly TeamSetting[]): void
}

/** Creates the teams of a configuration. */
export function createTeams(configured: readonly TeamSetting[]): Teams {
  const parts = { FILE: configured, STORE: [] as readonly TeamSetting[] }
  let byId: ReadonlyMap<string, Team> = new Map()
  const compileAll = () => {
    const next = new Map<string, Team>()
    for (const team of [...parts.FILE, ...parts.STORE])
      if (!next.has(team.id)) next.set(team.id, sameOrNew(byId.get(team.id), team))
    byId = next
  }
  compileAll()
  return {
    get: (id) => byId.get(id),
    get all() {
      return [...byId.values()]
    },
    replace(origin, teams) {
      parts[origin] = teams
      compileAll()
    },
  }
}

function sameOrNew(known: Team | undefined, { id, name, models }: TeamSetting): Team {
  const isSame = known?.name === name && JSON.stringify(known?.models) === JSON.stringify(models)
  if (known && isSame) return known
  return { id, name, models, mayUse: models ? compilePatterns(models) : () => true }
}
