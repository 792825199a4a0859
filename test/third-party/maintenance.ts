import { definePlugin, type GatewayPlugin, type Verdict } from '../../src/index.ts'

/** When an account is worked on, in milliseconds since 1970. */
export interface MaintenanceWindow {
  readonly account: string
  readonly from: number
  readonly until: number
}

export interface MaintenanceOptions {
  readonly windows: () => readonly MaintenanceWindow[]
}

/** Leaves accounts alone while they are worked on, and says until when. */
export function maintenance({ windows }: MaintenanceOptions): GatewayPlugin {
  function judge(account: string): Verdict | undefined {
    const now = Date.now()
    const window = windows().find(
      (one) => one.account === account && one.from <= now && now < one.until,
    )
    if (!window) return undefined
    return { excluded: { by: 'maintenance', reason: 'worked on', untilMs: window.until } }
  }

  return definePlugin({
    name: 'maintenance',
    onCandidates: ({ candidates }) => candidates.map(({ account }) => judge(account.id)),
  })
}
