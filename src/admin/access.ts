import type { AdminAccessSetting, Settings } from '../configuration/settings.ts'

const none: AdminAccessSetting = { allowedHosts: [], trustedProxies: [] }

/** How the configuration lets browsers and proxies reach the admin address. */
export function accessOf({ adminAccess = none }: Settings): AdminAccessSetting {
  return adminAccess
}
