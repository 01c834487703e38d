export * from '../../tools/support/client.ts';
