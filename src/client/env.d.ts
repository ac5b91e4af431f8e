declare module "*.css";
declare module "*.sql";
