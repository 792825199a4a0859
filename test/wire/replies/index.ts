import type { Provider } from './reply.ts'

export type { Meaning, Provider, WireReply } from './reply.ts'

/** Everybody whose replies are known. */
export const providers: readonly Provider[] = []
