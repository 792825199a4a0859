/** How long a signed URL lives: 15 minutes. */
export const urlLifetimeMs = 15 * 60_000
