/** The address of the API without configuration. */
export const defaultListen = { host: '127.0.0.1', port: 8787 }

/** The admin address without configuration. */
export const defaultAdmin = { host: '127.0.0.1', port: 8788 }
