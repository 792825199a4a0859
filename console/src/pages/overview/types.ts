import type { OverviewQuery } from './operations.generated.ts'

/** An account, as the Overview has it. */
export type OverviewAccount = OverviewQuery['accounts']['edges'][number]['node']
/** The gateway, as the Overview has it. */
export type OverviewGateway = OverviewQuery['gateway']
/** A process of the gateway. */
export type OverviewProcess = OverviewGateway['processes'][number]
/** Five seconds of calls. */
export type PulseSample = OverviewQuery['pulse'][number]
/** Percentiles of the calls of a minute. */
export type PulseMinute = OverviewQuery['minute'][number]
/** A call that went wrong. */
export type OverviewError = OverviewQuery['recent']['edges'][number]['node']
/** A model that no account can serve now. */
export type UnservedModel = OverviewQuery['unavailable']['edges'][number]['node']
