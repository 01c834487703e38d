export const room = { impersonalTables: ['schema_steps'] };
