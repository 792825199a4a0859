/** What an administrator may do, the least first: each role may do all that those before it may. */
export const roles = ['viewer', 'operator', 'admin'] as const

/** `viewer` reads, `operator` steers what runs, `admin` changes keys, accounts and tokens. */
export type Role = (typeof roles)[number]
