/** The roles of administrators, the least first: each role includes the rights of the roles before it. */
export const roles = ['viewer', 'operator', 'admin'] as const

/** `viewer` reads, `operator` steers what runs, `admin` changes keys, accounts and tokens. */
export type Role = (typeof roles)[number]
