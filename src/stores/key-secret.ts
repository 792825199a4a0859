import { hash, randomBytes } from 'node:crypto'

/** The secret of a new API key: `dgm_` and 32 random bytes in base64url. */
export function createSecret(): string {
  return `dgm_${randomBytes(32).toString('base64url')}`
}

/** The secret of a new admin token: `dga_` and 32 random bytes in base64url. */
export function createAdminSecret(): string {
  return `dga_${randomBytes(32).toString('base64url')}`
}

/** The only form in which a secret is stored: `sha256:<64 hex digits>`. */
export function hashSecret(secret: string): string {
  return `sha256:${hash('sha256', secret, 'hex')}`
}
